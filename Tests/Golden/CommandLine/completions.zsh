#compdef strongroom
# zsh completion for strongroom; load it with: source <(strongroom completions zsh)
_strongroom() {
    local -a commands=(
        'info:tell about a database\: versions, cipher settings, size, tables and rows'
        'check:prove that a database is whole, or tell what is damaged'
        'doctor:tell what is the matter with a file that does not open'
        'query:run SQL, and write the rows as a table, JSON or CSV'
        'shell:open a database in the sqlcipher shell, with its key handed over'
        'encrypt:make an encrypted copy of a plain SQLite database'
        'decrypt:make a plain SQLite copy of an encrypted database'
        'copy:make a consistent, verified copy of a database, even one in use'
        'salvage:save what is whole of a damaged database into a new one'
        'rotate-key:put another key in the place of a database'\''s key'
        'keygen:make a key file with a random raw key'
        'key-id:tell which key file opens which database and which backups'
        'completions:write a script that completes this program'\''s names in a shell'
        'help:tell about a command, or about keys, exit statuses and JSON'
        'schema:check, diff, swift'
        'backup:init, status, create, list, verify, restore, prune, repair, rekey, verification-key'
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        _arguments --help --version
        return
    fi
    local command=$words[2]
    words=("${(@)words[2,-1]}")
    (( CURRENT-- ))
    if [[ $command == schema ]]; then
        if (( CURRENT == 2 )); then
            _values command check diff swift
            return
        fi
        command="$command $words[2]"
        words=("${(@)words[2,-1]}")
        (( CURRENT-- ))
    fi
    if [[ $command == backup ]]; then
        if (( CURRENT == 2 )); then
            _values command init status create list verify restore prune repair rekey verification-key
            return
        fi
        command="$command $words[2]"
        words=("${(@)words[2,-1]}")
        (( CURRENT-- ))
    fi
    case $command in
    "info") _arguments -s \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "check") _arguments -s \
            '--quick[leave out what takes longest\: that indexes agree with their tables]' \
            '--run-modules[let SQLite read full-text and other virtual tables; only for files that you trust]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "doctor") _arguments -s \
            '--jobs=[verify with N threads (default\: one for each processor, up to 4)]:N: ' \
            '--engine[tell the known defects of this SQLite and SQLCipher; without FILE]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '*--old-key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--old-key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--old-key-fd=[read the key from the open file descriptor N]:N: ' \
            '--old-key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--old-key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '*::FILE:_files' ;;
    "query") _arguments -s \
            '*'{-p,--parameter=}'[give the parameter \:NAME of the SQL a value, or the first ? by 1=VALUE; may be repeated]:NAME=VALUE: ' \
            '--write[allow statements that change the database]' \
            '--json[write the result, and errors, as JSON]' \
            '--csv[write the rows as CSV (RFC 4180)]' \
            '--format=[write the rows as SQLite'\''s shell does\: list, line or quote]:FORMAT:(list line quote)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:SQL: ' ;;
    "shell") _arguments -s \
            '--read-only[open the database to read only]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "encrypt") _arguments -s \
            '--force[replace OUT if it is there]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--allow-weak-passphrase[take a new passphrase that is found by guessing]' \
            '--new-compatibility=[change to the settings of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--new-kdf-iterations=[change how often a passphrase is hashed]:N: ' \
            '--new-kdf-algorithm=[change what hashes a passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--new-page-size=[change the size of pages\: 512 to 65536]:BYTES: ' \
            '--new-hmac=[change what authenticates pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--new-plaintext-header=[leave so many of the first bytes in plaintext]:BYTES: ' \
            '--new-salt=[the salt of a file with a plaintext header\: 32 digits (default\: a random one)]:HEX: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:IN:_files' \
            '2:OUT:_files' ;;
    "decrypt") _arguments -s \
            '--force[replace OUT if it is there]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:IN:_files' \
            '2:OUT:_files' ;;
    "copy") _arguments -s \
            '--force[replace OUT if it is there]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from the open file descriptor N]:N: ' \
            '--new-key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--new-key-ask[ask for the key on the terminal]' \
            '--allow-weak-passphrase[take a new passphrase that is found by guessing]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '--new-compatibility=[change to the settings of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--new-kdf-iterations=[change how often a passphrase is hashed]:N: ' \
            '--new-kdf-algorithm=[change what hashes a passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--new-page-size=[change the size of pages\: 512 to 65536]:BYTES: ' \
            '--new-hmac=[change what authenticates pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:OUT:_files' ;;
    "salvage") _arguments -s \
            '--run-modules[let SQLite read full-text and other virtual tables; only for files that you trust]' \
            '--force[replace OUT if it is there]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '*--old-key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--old-key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--old-key-fd=[read the key from the open file descriptor N]:N: ' \
            '--old-key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--old-key-ask[ask for the key on the terminal]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from the open file descriptor N]:N: ' \
            '--new-key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--new-key-ask[ask for the key on the terminal]' \
            '--allow-weak-passphrase[take a new passphrase that is found by guessing]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:OUT:_files' ;;
    "rotate-key") _arguments -s \
            '--new-key-generate=[make a key file with a random new key, or take the one that is there]:PATH:_files' \
            '--keys=[take the keys from a key store, a folder with the current key and all earlier ones]:FOLDER:_files -/' \
            '--jobs=[work on N files at once, or on one with N threads (default 2)]:N: ' \
            '*--exclude=[leave out files and folders of this name or path, such as '\''*.bak'\'']:PATTERN:_files' \
            '--dry-run[tell what would be done and how long it takes; change nothing]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from the open file descriptor N]:N: ' \
            '--new-key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--new-key-ask[ask for the key on the terminal]' \
            '--allow-weak-passphrase[take a new passphrase that is found by guessing]' \
            '--new-compatibility=[change to the settings of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--new-kdf-iterations=[change how often a passphrase is hashed]:N: ' \
            '--new-kdf-algorithm=[change what hashes a passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--new-page-size=[change the size of pages\: 512 to 65536]:BYTES: ' \
            '--new-hmac=[change what authenticates pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '*:FILE:_files' ;;
    "keygen") _arguments -s \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1::PATH:_files' ;;
    "key-id") _arguments -s \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '*:PATH:_files' ;;
    "schema check") _arguments -s \
            '--tables=[the tables as the app'\''s types declare them, which TableSchema.write has written]:PATH:_files' \
            '--strict[fail on warnings, not on errors alone]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "schema diff") _arguments -s \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '*--other-key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--other-key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--other-key-fd=[read the key from the open file descriptor N]:N: ' \
            '--other-key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--other-key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:OTHER:_files' ;;
    "schema swift") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "backup init") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' ;;
    "backup status") _arguments -s \
            '--max-age=[fail unless each last backup is at most so old, such as 26h or 7d]:AGE: ' \
            '--verify-every=[fail unless it was verified so recently, with and without the key]:AGE: ' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:ROOT:_files' ;;
    "backup create") _arguments -s \
            '--to=[the repository that gets the backup, or, of folders and several files, the folder of repositories]:REPO:_files -/' \
            '--keys=[take the keys from a key store, a folder with the current key and all earlier ones]:FOLDER:_files -/' \
            '--tag=[a word of yours for the backup]:WORD: ' \
            '--no-authenticate[do not authenticate pages with the key before they are stored]' \
            '--full[store every page, and build on no other backup]' \
            '--read-all[read the database even if its file seems not to have changed]' \
            '--another-database[take a second database into a repository that has one]' \
            '--jobs=[back up N databases at once (default 2)]:N: ' \
            '--skip-newer=[of several, leave out those with a backup so young, such as 6h]:AGE: ' \
            '--new-authority[sign from now on, though no key that has signed so far is left]' \
            '--keep-format[leave a repository of the first format as it is, unsigned]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '*--introducer-key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--introducer-key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--introducer-key-fd=[read the key from the open file descriptor N]:N: ' \
            '--introducer-key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--introducer-key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '*:FILE:_files' ;;
    "backup list") _arguments -s \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files' ;;
    "backup verify") _arguments -s \
            '--no-key[verify by hashes alone, which is what happens without a key anyway]' \
            '--verification-key=[authenticate with a key that cannot decrypt (see backup verification-key)]:PATH:_files' \
            '--authority=[fail unless this public key has signed it, or one that belongs to it (64 digits, or a file)]:KEY: ' \
            '--sample=[read a part of the pages by chance, such as 5%]:PERCENT: ' \
            '*--expect=[fail unless the repository has this hash, or had it and grew; of several\: NAME=HASH]:HASH: ' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files' \
            '2::ID: ' ;;
    "backup restore") _arguments -s \
            '--at=[the last backup until that time, such as 2026-11-20T10\:00 (in UTC)]:TIME: ' \
            '--force[replace OUT if it is there]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files' \
            '2::ID: ' \
            '3:OUT:_files' ;;
    "backup prune") _arguments -s \
            '--keep-last=[keep the newest N]:N: ' \
            '--keep-hourly=[keep the newest of each of the last N hours that have one]:N: ' \
            '--keep-daily=[the same for days, of UTC]:N: ' \
            '--keep-weekly=[the same for weeks, from Monday]:N: ' \
            '--keep-monthly=[the same for months]:N: ' \
            '--keep-yearly=[the same for years]:N: ' \
            '*--keep-tag=[keep all that were tagged with WORD]:WORD: ' \
            '--dry-run[tell what would go; change nothing]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files' ;;
    "backup repair") _arguments -s \
            '--from=[another copy of the repository, which is only read]:COPY:_files' \
            '--database=[the database that is backed up, which takes its key]:FILE:_files' \
            '--dry-run[tell what could be brought back; change nothing]' \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[how many of its first bytes are in plaintext]:BYTES: ' \
            '--salt=[the salt of a file that does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' ;;
    "backup rekey") _arguments -s \
            '--json[write the result, and errors, as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from the open file descriptor N]:N: ' \
            '--new-key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--new-key-ask[ask for the key on the terminal]' \
            '--allow-weak-passphrase[take a new passphrase that is found by guessing]' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' ;;
    "backup verification-key") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[take the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from the open file descriptor N]:N: ' \
            '--key-command=[run a shell command that prints the key]:COMMAND: ' \
            '--key-ask[ask for the key on the terminal]' \
            '--state=[remember there what repositories were like (or in $STRONGROOM_STATE), or nowhere\: none]:DIR:_files -/' \
            '--accept-rollback[take the repository as it is, and remember that from now on]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' \
            '2::ID: ' ;;
    "completions") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:SHELL:(bash zsh fish)' ;;
    "help") _arguments -s \
            '--man[write a manual page\: that of the command, or the one about all of it]' \
            '--list[list the names of all commands]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also tell the versions in use, where keys come from, and how long it took]' \
            '--color=[use colours\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1::TOPIC:(info check doctor query shell encrypt decrypt copy salvage rotate-key keygen key-id schema backup completions help keys status json)' \
            '2::WORD: ' ;;
    esac
}
# Autoloaded from a folder of functions, this file is the function's body.
if [[ $funcstack[1] == _strongroom ]]; then
    _strongroom "$@"
else
    compdef _strongroom strongroom
fi
