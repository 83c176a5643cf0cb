#compdef strongroom
# zsh completion for strongroom; load it with: source <(strongroom completions zsh)
_strongroom() {
    local -a commands=(
        'info:show a database'\''s settings, size, tables and row counts'
        'check:check a database for damage'
        'doctor:diagnose a database that does not open'
        'query:run SQL and print the result as a table, JSON or CSV'
        'shell:open a database in the sqlcipher shell without exposing its key'
        'encrypt:encrypt a SQLite database into a new file'
        'decrypt:decrypt a database into a plaintext SQLite file'
        'copy:copy a database, even while it is in use, and verify the copy'
        'salvage:recover the intact rows of a damaged database'
        'rotate-key:rotate the key of one or many databases'
        'keygen:create a key file with a random key'
        'key-id:find the key file that opens a database or a backup'
        'completions:generate shell completions'
        'help:show help for a command or a topic'
        'schema:check, diff, swift'
        'key:init, list, add, remove, change, rename, test, recovery, export, identity, repair, forget, log, verify, vouch, shred'
        'backup:init, status, create, list, verify, restore, prune, forget, repair, rekey, verification-key, keyrings'
        'sync:init, invite, join, once, status, held, verify, resend, compact, detach'
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
    if [[ $command == key ]]; then
        if (( CURRENT == 2 )); then
            _values command init list add remove change rename test recovery export identity repair forget log verify vouch shred
            return
        fi
        command="$command $words[2]"
        words=("${(@)words[2,-1]}")
        (( CURRENT-- ))
    fi
    if [[ $command == backup ]]; then
        if (( CURRENT == 2 )); then
            _values command init status create list verify restore prune forget repair rekey verification-key keyrings
            return
        fi
        command="$command $words[2]"
        words=("${(@)words[2,-1]}")
        (( CURRENT-- ))
    fi
    if [[ $command == sync ]]; then
        if (( CURRENT == 2 )); then
            _values command init invite join once status held verify resend compact detach
            return
        fi
        command="$command $words[2]"
        words=("${(@)words[2,-1]}")
        (( CURRENT-- ))
    fi
    case $command in
    "info") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "check") _arguments -s \
            '--quick[skip the slowest part\: comparing indexes with their tables]' \
            '--run-modules[let SQLite read full-text and other virtual tables; only for files that you trust]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "doctor") _arguments -s \
            '--jobs=[use N threads (default\: number of processors, at most 4)]:N: ' \
            '--engine[list the known defects of this SQLite and SQLCipher; without FILE]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '*--old-key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--old-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--old-key-fd=[read the key from file descriptor N]:N: ' \
            '--old-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--old-key-ask[prompt for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '*::FILE:_files' ;;
    "query") _arguments -s \
            '*'{-p,--parameter=}'[give the parameter \:NAME of the SQL a value, or the first ? by 1=VALUE; may be repeated]:NAME=VALUE: ' \
            '--write[allow statements that change the database]' \
            '--json[print the result and errors as JSON]' \
            '--csv[print the rows as CSV (RFC 4180)]' \
            '--format=[print the rows as SQLite'\''s shell does\: list, line or quote]:FORMAT:(list line quote)' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:SQL: ' ;;
    "shell") _arguments -s \
            '--read-only[open the database read-only]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "encrypt") _arguments -s \
            '--keyring[create a keyring for OUT\: the key becomes its first slot]' \
            '--force[replace OUT if it exists]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--allow-weak-passphrase[accept a new passphrase that is easy to guess]' \
            '--new-compatibility=[use the settings of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--new-kdf-iterations=[how often a passphrase is hashed]:N: ' \
            '--new-kdf-algorithm=[what hashes a passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--new-page-size=[the size of pages\: 512 to 65536]:BYTES: ' \
            '--new-hmac=[what authenticates pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--new-plaintext-header=[leave the first BYTES bytes in plaintext]:BYTES: ' \
            '--new-salt=[the salt of a file with a plaintext header\: 32 digits (default\: a random one)]:HEX: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:IN:_files' \
            '2:OUT:_files' ;;
    "decrypt") _arguments -s \
            '--force[replace OUT if it exists]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:IN:_files' \
            '2:OUT:_files' ;;
    "copy") _arguments -s \
            '--keyring[create a keyring for OUT\: the key becomes its first slot]' \
            '--force[replace OUT if it exists]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from file descriptor N]:N: ' \
            '--new-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--new-key-ask[prompt for the key on the terminal]' \
            '--allow-weak-passphrase[accept a new passphrase that is easy to guess]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '--new-compatibility=[use the settings of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--new-kdf-iterations=[how often a passphrase is hashed]:N: ' \
            '--new-kdf-algorithm=[what hashes a passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--new-page-size=[the size of pages\: 512 to 65536]:BYTES: ' \
            '--new-hmac=[what authenticates pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:OUT:_files' ;;
    "salvage") _arguments -s \
            '--run-modules[let SQLite read full-text and other virtual tables; only for files that you trust]' \
            '--keyring[create a keyring for OUT\: the key becomes its first slot]' \
            '--force[replace OUT if it exists]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '*--old-key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--old-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--old-key-fd=[read the key from file descriptor N]:N: ' \
            '--old-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--old-key-ask[prompt for the key on the terminal]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from file descriptor N]:N: ' \
            '--new-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--new-key-ask[prompt for the key on the terminal]' \
            '--allow-weak-passphrase[accept a new passphrase that is easy to guess]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:OUT:_files' ;;
    "rotate-key") _arguments -s \
            '--new-key-generate=[create the new key in PATH, or use the key that PATH already holds]:PATH:_files' \
            '--keys=[use a key store\: a folder with the current key and all earlier ones]:FOLDER:_files -/' \
            '--drop-sealed[with a keyring\: remove sealed slots whose secret is not given]' \
            '--overwrite-old[overwrite the blocks of the old file once, where that is of use]' \
            '--jobs=[rotate N files in parallel, or one file with N threads (default\: 2)]:N: ' \
            '*--exclude=[skip files and folders that match, such as '\''*.bak'\'']:PATTERN:_files' \
            '--dry-run[show what would be done and how long it would take, without changing anything]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from file descriptor N]:N: ' \
            '--new-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--new-key-ask[prompt for the key on the terminal]' \
            '--allow-weak-passphrase[accept a new passphrase that is easy to guess]' \
            '--new-compatibility=[use the settings of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--new-kdf-iterations=[how often a passphrase is hashed]:N: ' \
            '--new-kdf-algorithm=[what hashes a passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--new-page-size=[the size of pages\: 512 to 65536]:BYTES: ' \
            '--new-hmac=[what authenticates pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '*:FILE:_files' ;;
    "keygen") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1::PATH:_files' ;;
    "key-id") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '*:PATH:_files' ;;
    "schema check") _arguments -s \
            '--tables=[the tables that the app'\''s types declare, as written by TableSchema.write]:PATH:_files' \
            '--strict[fail on warnings, not on errors alone]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "schema diff") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '*--other-key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--other-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--other-key-fd=[read the key from file descriptor N]:N: ' \
            '--other-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--other-key-ask[prompt for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:OTHER:_files' ;;
    "schema swift") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key init") _arguments -s \
            '--keep-key[keep the key of the database, which goes on opening it]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '--passphrase=[add a slot of this name for a new passphrase]:NAME: ' \
            '--recipient=[add a slot for the holder of an age identity\: age1…]:RECIPIENT: ' \
            '--key-file-slot=[add a slot for the key in a key file]:PATH:_files' \
            '--wrap-command=[add a slot for --unlock-command\: COMMAND encrypts 32 bytes from its input]:COMMAND: ' \
            '--name=[the name of a slot that is not for a passphrase]:NAME: ' \
            '--work=[the cost of guessing the passphrase\: 14 to 20, one more doubles it (default\: 17)]:N: ' \
            '--sealed[keep no public key of the slot\: a rotation needs its secret]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from file descriptor N]:N: ' \
            '--new-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--new-key-ask[prompt for the key on the terminal]' \
            '--allow-weak-passphrase[accept a new passphrase that is easy to guess]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key list") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key add") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '--passphrase=[add a slot of this name for a new passphrase]:NAME: ' \
            '--recipient=[add a slot for the holder of an age identity\: age1…]:RECIPIENT: ' \
            '--key-file-slot=[add a slot for the key in a key file]:PATH:_files' \
            '--wrap-command=[add a slot for --unlock-command\: COMMAND encrypts 32 bytes from its input]:COMMAND: ' \
            '--name=[the name of a slot that is not for a passphrase]:NAME: ' \
            '--work=[the cost of guessing the passphrase\: 14 to 20, one more doubles it (default\: 17)]:N: ' \
            '--sealed[keep no public key of the slot\: a rotation needs its secret]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from file descriptor N]:N: ' \
            '--new-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--new-key-ask[prompt for the key on the terminal]' \
            '--allow-weak-passphrase[accept a new passphrase that is easy to guess]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key remove") _arguments -s \
            '--rotate[then rotate the key of the database, so that it is new to the holder]' \
            '--drop-sealed[with --rotate\: remove sealed slots whose secret is not given, too]' \
            '--force[remove it even if only one slot is left]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:NAME: ' ;;
    "key change") _arguments -s \
            '--name=[change this slot, or add it (default\: the slot that was opened)]:NAME: ' \
            '--work=[the cost of guessing the passphrase\: 14 to 20, one more doubles it (default\: 17)]:N: ' \
            '--sealed[keep no public key of the slot\: a rotation needs its secret]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from file descriptor N]:N: ' \
            '--new-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--new-key-ask[prompt for the key on the terminal]' \
            '--allow-weak-passphrase[accept a new passphrase that is easy to guess]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key rename") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' \
            '2:OLD: ' \
            '3:NEW: ' ;;
    "key test") _arguments -s \
            '--recovery[test a recovery code, and note in the keyring that it was tested]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key recovery") _arguments -s \
            '--replace[remove the recovery code that there is]' \
            '--out=[write the code to a new file that only you can read, and ask nothing]:PATH:_files' \
            '--print[print a page to keep on paper to standard output, and ask nothing]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key export") _arguments -s \
            '--out=[write it to a new file that only you can read]:PATH:_files' \
            '--show[print it to standard output]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key identity") _arguments -s \
            '--new[create an identity instead, and print it and its recipient]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1::FILE:_files' ;;
    "key repair") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key forget") _arguments -s \
            '--before=[those that were replaced before that day, such as 2026-11-20]:DATE: ' \
            '--id=[the one with this identifier]:KEY: ' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key log") _arguments -s \
            '--verify=[verify the log that --audit has written to PATH instead; without FILE]:PATH:_files' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1::FILE:_files' ;;
    "key verify") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key vouch") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "key shred") _arguments -s \
            '*--repository=[also delete the keyrings in this backup repository; may be repeated]:REPO:_files -/' \
            '--confirm=[the name of the file, instead of being asked to type it]:NAME: ' \
            '--audit=[append a line about what was done to a log, which key log --verify checks]:PATH:_files' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "backup init") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' ;;
    "backup status") _arguments -s \
            '--max-age=[fail if a latest backup is older than AGE, such as 26h or 7d]:AGE: ' \
            '--verify-every=[fail if the last verification of everything, with or without the key, is older than AGE]:AGE: ' \
            '--authenticate-every=[fail if the last verification of everything with the keys of all backups is older than AGE]:AGE: ' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:ROOT:_files' ;;
    "backup create") _arguments -s \
            '--to=[the repository for the backup, a folder or a URL; for a folder or several files, the folder of repositories]:REPO:_files -/' \
            '--keys=[use a key store\: a folder with the current key and all earlier ones]:FOLDER:_files -/' \
            '--tag=[label the backup with WORD]:WORD: ' \
            '--no-authenticate[store pages without authenticating them with the key first]' \
            '--full[store every page, independent of earlier backups]' \
            '--read-all[read the database even if its file looks unchanged]' \
            '--another-database[add a second database to a repository that has one]' \
            '--jobs=[back up N databases in parallel (default\: number of processors)]:N: ' \
            '--skip-newer=[skip databases whose latest backup is younger than AGE, such as 6h]:AGE: ' \
            '*--exclude=[in folders, leave out files whose name or path matches, such as '\''*.bak'\'']:PATTERN:_files' \
            '--keyring=[what to store of the keyring\: all, strong (no passphrase slots) or none (default\: all)]:WHAT:(all strong none)' \
            '--new-authority[start over with this key as the signer, when no earlier signing key is left]' \
            '--keep-format[leave a repository of the first format as it is, unsigned]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '*--introducer-key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--introducer-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--introducer-key-fd=[read the key from file descriptor N]:N: ' \
            '--introducer-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--introducer-key-ask[prompt for the key on the terminal]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '*:FILE:_files' ;;
    "backup list") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files' ;;
    "backup verify") _arguments -s \
            '--no-key[verify by hashes alone, as without a key]' \
            '*--verification-key=[authenticate with a key that cannot decrypt (see backup verification-key)]:PATH:_files' \
            '--authority=[fail unless this public key, or one that introductions connect with it, signed it (64 digits, or a file)]:KEY: ' \
            '--sample=[read a random part of the pages, such as 5%]:PERCENT: ' \
            '*--expect=[fail unless the verified chain contains this hash; for several repositories\: NAME=HASH]:HASH: ' \
            '--jobs=[of several repositories, verify N in parallel (default\: number of processors)]:N: ' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files' \
            '2::ID: ' ;;
    "backup restore") _arguments -s \
            '--at=[the last backup until that time, such as 2026-11-20T10\:00 (in UTC)]:TIME: ' \
            '--force[replace OUT if it exists]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
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
            '*--keep-tag=[keep all backups with the tag WORD]:WORD: ' \
            '--dry-run[show what would be removed, without changing anything]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files' ;;
    "backup forget") _arguments -s \
            '--newest[remove even the newest backup of a database]' \
            '--dry-run[show what would be removed, without changing anything]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' \
            '*:ID: ' ;;
    "backup repair") _arguments -s \
            '--from=[another copy of the repository; it is only read]:COPY:_files' \
            '--database=[the database that is backed up; needs its key]:FILE:_files' \
            '--rebuild-head[write a lost head again from the backups that are there; needs the key of the last one]' \
            '--dry-run[show what could be repaired, without changing anything]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' ;;
    "backup rekey") _arguments -s \
            '--keys=[use a key store\: a folder with the current key and all earlier ones]:FOLDER:_files -/' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--key-file=[read the key from a file]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--new-key-file=[read the key from a file]:PATH:_files' \
            '--new-key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--new-key-fd=[read the key from file descriptor N]:N: ' \
            '--new-key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--new-key-ask[prompt for the key on the terminal]' \
            '--allow-weak-passphrase[accept a new passphrase that is easy to guess]' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' ;;
    "backup verification-key") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' \
            '2::ID: ' ;;
    "backup keyrings") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '--state=[remember the states of repositories in DIR (or $STRONGROOM_STATE); none\: nowhere]:DIR:_files -/' \
            '--accept-rollback[accept the repository as it is, and remember this state]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:REPO:_files -/' ;;
    "sync init") _arguments -s \
            '--hub=[the folder of the hub, which all devices reach]:DIR:_files' \
            '--all[share all tables that hold rows]' \
            '--tables=[share these tables, with commas between them]:NAMES: ' \
            '--name=[the name of this device in the space (default\: the host'\''s name)]:NAME: ' \
            '--dry-run[show what would be done, without changing anything]' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "sync invite") _arguments -s \
            '--device[invite another device of yours]' \
            '--hub=[the folder of the hub, if it is at another place here than when it was set up]:DIR:_files' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "sync join") _arguments -s \
            '--hub=[the folder of the hub, if it is at another place here than when it was set up]:DIR:_files' \
            '--name=[the name of this device in the space (default\: the host'\''s name)]:NAME: ' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:TICKET: ' \
            '2:FILE:_files' ;;
    "sync once") _arguments -s \
            '--hub=[the folder of the hub, if it is at another place here than when it was set up]:DIR:_files' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "sync status") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "sync held") _arguments -s \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "sync verify") _arguments -s \
            '--local[verify only the database]' \
            '--hub[verify only what the hub has]' \
            '--with=[compare with another device of the space, row by row]:DEVICE: ' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "sync resend") _arguments -s \
            '--hub=[the folder of the hub, if it is at another place here than when it was set up]:DIR:_files' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "sync compact") _arguments -s \
            '--hub=[the folder of the hub, if it is at another place here than when it was set up]:DIR:_files' \
            '--json[print the result and errors as JSON]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "sync detach") _arguments -s \
            '--yes[detach, although changes that were not sent never will be]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '*--key-file=[read the key from a file, or try those in a folder; may be repeated]:PATH:_files' \
            '--key-env=[read the key from an environment variable]:NAME:_parameters -g \*export\*' \
            '--key-fd=[read the key from file descriptor N]:N: ' \
            '--key-command=[run a shell command and use its output as the key]:COMMAND: ' \
            '--key-ask[prompt for the key on the terminal]' \
            '--unlock-command=[unlock a command slot\: COMMAND reads the wrapped secret and prints the secret]:COMMAND: ' \
            '--slot=[if FILE has a keyring, try only this slot]:NAME: ' \
            '--no-keyring[use the key as the database'\''s own key, not as a secret of its keyring]' \
            '--compatibility=[those of SQLCipher 1, 2, 3 or 4]:N: ' \
            '--kdf-iterations=[how often its passphrase is hashed]:N: ' \
            '--kdf-algorithm=[what hashes its passphrase\: sha512, sha256 or sha1]:NAME: ' \
            '--page-size=[the size of its pages\: 512 to 65536]:BYTES: ' \
            '--hmac=[what authenticates its pages\: sha512, sha256, sha1 or none]:NAME: ' \
            '--plaintext-header=[the number of first bytes that are in plaintext]:BYTES: ' \
            '--salt=[the salt, if the file does not hold it\: 32 digits]:HEX: ' \
            '--salt-from=[take the salt from a file with its digits, or from a copy of the database]:PATH:_files' \
            '--cipher-settings=[several of these in one word\: kdf-iterations=600000,hmac=none]:LIST: ' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:FILE:_files' ;;
    "completions") _arguments -s \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1:SHELL:(bash zsh fish)' ;;
    "help") _arguments -s \
            '--man[print a manual page\: the command'\''s, or the one for the whole tool]' \
            '--list[list the names of all commands]' \
            '(-h --help)'{-h,--help}'[show this help]' \
            '(-q --quiet)'{-q,--quiet}'[print nothing on success, except data you asked for; warnings still go to standard error]' \
            '--verbose[also print versions, key sources and timings]' \
            '--color=[use colors\: auto (on a terminal, unless NO_COLOR is set), always or never]:WHEN:(auto always never)' \
            '1::TOPIC:(info check doctor query shell encrypt decrypt copy salvage rotate-key keygen key-id schema key backup sync completions help keys status json)' \
            '2::WORD: ' ;;
    esac
}
# Autoloaded from a folder of functions, this file is the function's body.
if [[ $funcstack[1] == _strongroom ]]; then
    _strongroom "$@"
else
    compdef _strongroom strongroom
fi
