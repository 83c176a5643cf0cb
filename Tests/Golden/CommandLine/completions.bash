# bash completion for strongroom; load it with: eval "$(strongroom completions bash)"
_strongroom() {
    local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "info check doctor query shell encrypt decrypt copy salvage rotate-key keygen key-id schema key backup sync completions help --help --version" -- "$word"))
        return
    fi
    local command="${COMP_WORDS[1]}"
    if [ "$command" = schema ]; then
        if [ "$COMP_CWORD" -eq 2 ]; then
            COMPREPLY=($(compgen -W "check diff swift" -- "$word"))
            return
        fi
        command="$command ${COMP_WORDS[2]}"
    fi
    if [ "$command" = key ]; then
        if [ "$COMP_CWORD" -eq 2 ]; then
            COMPREPLY=($(compgen -W "init list add remove change rename test recovery export identity repair forget log verify vouch shred" -- "$word"))
            return
        fi
        command="$command ${COMP_WORDS[2]}"
    fi
    if [ "$command" = backup ]; then
        if [ "$COMP_CWORD" -eq 2 ]; then
            COMPREPLY=($(compgen -W "init status create list verify restore prune forget repair rekey verification-key keyrings" -- "$word"))
            return
        fi
        command="$command ${COMP_WORDS[2]}"
    fi
    if [ "$command" = sync ]; then
        if [ "$COMP_CWORD" -eq 2 ]; then
            COMPREPLY=($(compgen -W "init invite join once status held verify resend compact detach" -- "$word"))
            return
        fi
        command="$command ${COMP_WORDS[2]}"
    fi
    case "$command" in
    "info")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "check")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--quick --run-modules --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "doctor")
        case "$previous" in
            --jobs) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --old-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --old-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --old-key-fd) :; return ;;
            --old-key-command) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--jobs --engine --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --old-key-file --old-key-env --old-key-fd --old-key-command --old-key-ask --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "query")
        case "$previous" in
            --parameter|-p) :; return ;;
            --format) COMPREPLY+=($(compgen -W "list line quote" -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--parameter --write --json --csv --format --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) :; local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "shell")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--read-only --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "encrypt")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --new-compatibility) :; return ;;
            --new-kdf-iterations) :; return ;;
            --new-kdf-algorithm) :; return ;;
            --new-page-size) :; return ;;
            --new-hmac) :; return ;;
            --new-plaintext-header) :; return ;;
            --new-salt) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--keyring --force --json --help --key-file --key-env --key-fd --key-command --key-ask --allow-weak-passphrase --new-compatibility --new-kdf-iterations --new-kdf-algorithm --new-page-size --new-hmac --new-plaintext-header --new-salt --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "decrypt")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--force --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "copy")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --new-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --new-key-fd) :; return ;;
            --new-key-command) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --new-compatibility) :; return ;;
            --new-kdf-iterations) :; return ;;
            --new-kdf-algorithm) :; return ;;
            --new-page-size) :; return ;;
            --new-hmac) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--keyring --force --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --new-key-file --new-key-env --new-key-fd --new-key-command --new-key-ask --allow-weak-passphrase --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --new-compatibility --new-kdf-iterations --new-kdf-algorithm --new-page-size --new-hmac --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "salvage")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --old-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --old-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --old-key-fd) :; return ;;
            --old-key-command) :; return ;;
            --new-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --new-key-fd) :; return ;;
            --new-key-command) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--run-modules --keyring --force --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --old-key-file --old-key-env --old-key-fd --old-key-command --old-key-ask --new-key-file --new-key-env --new-key-fd --new-key-command --new-key-ask --allow-weak-passphrase --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "rotate-key")
        case "$previous" in
            --new-key-generate) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --keys) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --jobs) :; return ;;
            --exclude) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --new-key-fd) :; return ;;
            --new-key-command) :; return ;;
            --new-compatibility) :; return ;;
            --new-kdf-iterations) :; return ;;
            --new-kdf-algorithm) :; return ;;
            --new-page-size) :; return ;;
            --new-hmac) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--new-key-generate --keys --drop-sealed --overwrite-old --jobs --exclude --dry-run --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --audit --new-key-file --new-key-env --new-key-fd --new-key-command --new-key-ask --allow-weak-passphrase --new-compatibility --new-kdf-iterations --new-kdf-algorithm --new-page-size --new-hmac --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "keygen")
        case "$previous" in
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key-id")
        case "$previous" in
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "schema check")
        case "$previous" in
            --tables) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--tables --strict --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "schema diff")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --other-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --other-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --other-key-fd) :; return ;;
            --other-key-command) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --other-key-file --other-key-env --other-key-fd --other-key-command --other-key-ask --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "schema swift")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key init")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --passphrase) :; return ;;
            --recipient) :; return ;;
            --key-file-slot) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --wrap-command) :; return ;;
            --name) :; return ;;
            --work) :; return ;;
            --new-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --new-key-fd) :; return ;;
            --new-key-command) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--keep-key --help --key-file --key-env --key-fd --key-command --key-ask --audit --passphrase --recipient --key-file-slot --wrap-command --name --work --sealed --new-key-file --new-key-env --new-key-fd --new-key-command --new-key-ask --allow-weak-passphrase --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key list")
        case "$previous" in
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key add")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --passphrase) :; return ;;
            --recipient) :; return ;;
            --key-file-slot) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --wrap-command) :; return ;;
            --name) :; return ;;
            --work) :; return ;;
            --new-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --new-key-fd) :; return ;;
            --new-key-command) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --passphrase --recipient --key-file-slot --wrap-command --name --work --sealed --new-key-file --new-key-env --new-key-fd --new-key-command --new-key-ask --allow-weak-passphrase --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key remove")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--rotate --drop-sealed --force --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) :; local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key change")
        case "$previous" in
            --name) :; return ;;
            --work) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --new-key-fd) :; return ;;
            --new-key-command) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--name --work --sealed --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --new-key-file --new-key-env --new-key-fd --new-key-command --new-key-ask --allow-weak-passphrase --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key rename")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) :; local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key test")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--recovery --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key recovery")
        case "$previous" in
            --out) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--replace --out --print --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key export")
        case "$previous" in
            --out) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--out --show --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key identity")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--new --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key repair")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key forget")
        case "$previous" in
            --before) :; return ;;
            --id) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--before --id --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key log")
        case "$previous" in
            --verify) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--verify --json --help --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key verify")
        case "$previous" in
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key vouch")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --audit --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "key shred")
        case "$previous" in
            --repository) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --confirm) :; return ;;
            --audit) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--repository --confirm --audit --help --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "backup init")
        case "$previous" in
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")) ;;
        esac
        ;;
    "backup status")
        case "$previous" in
            --max-age) :; return ;;
            --verify-every) :; return ;;
            --authenticate-every) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--max-age --verify-every --authenticate-every --json --help --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "backup create")
        case "$previous" in
            --to) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --keys) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --tag) :; return ;;
            --jobs) :; return ;;
            --skip-newer) :; return ;;
            --exclude) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --keyring) COMPREPLY+=($(compgen -W "all strong none" -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --introducer-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --introducer-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --introducer-key-fd) :; return ;;
            --introducer-key-command) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--to --keys --tag --no-authenticate --full --read-all --another-database --jobs --skip-newer --exclude --keyring --new-authority --keep-format --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --introducer-key-file --introducer-key-env --introducer-key-fd --introducer-key-command --introducer-key-ask --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "backup list")
        case "$previous" in
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "backup verify")
        case "$previous" in
            --verification-key) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --authority) :; return ;;
            --sample) :; return ;;
            --expect) :; return ;;
            --jobs) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--no-key --verification-key --authority --sample --expect --jobs --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) :; local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "backup restore")
        case "$previous" in
            --at) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--at --force --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) :; local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "backup prune")
        case "$previous" in
            --keep-last) :; return ;;
            --keep-hourly) :; return ;;
            --keep-daily) :; return ;;
            --keep-weekly) :; return ;;
            --keep-monthly) :; return ;;
            --keep-yearly) :; return ;;
            --keep-tag) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--keep-last --keep-hourly --keep-daily --keep-weekly --keep-monthly --keep-yearly --keep-tag --dry-run --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "backup forget")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--newest --dry-run --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) :; local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")) ;;
        esac
        ;;
    "backup repair")
        case "$previous" in
            --from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --database) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--from --database --rebuild-head --dry-run --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")) ;;
        esac
        ;;
    "backup rekey")
        case "$previous" in
            --keys) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --new-key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --new-key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --new-key-fd) :; return ;;
            --new-key-command) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--keys --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --new-key-file --new-key-env --new-key-fd --new-key-command --new-key-ask --allow-weak-passphrase --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")) ;;
        esac
        ;;
    "backup verification-key")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) :; local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")) ;;
        esac
        ;;
    "backup keyrings")
        case "$previous" in
            --state) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")); return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --state --accept-rollback --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -d -- "$word")) ;;
        esac
        ;;
    "sync init")
        case "$previous" in
            --hub) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --tables) :; return ;;
            --name) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--hub --all --tables --name --dry-run --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync invite")
        case "$previous" in
            --hub) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--device --hub --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync join")
        case "$previous" in
            --hub) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --name) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--hub --name --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) :; local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync once")
        case "$previous" in
            --hub) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--hub --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync status")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync held")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync verify")
        case "$previous" in
            --with) :; return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--local --hub --with --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync resend")
        case "$previous" in
            --hub) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--hub --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync compact")
        case "$previous" in
            --hub) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--hub --json --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "sync detach")
        case "$previous" in
            --key-file) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --key-env) COMPREPLY+=($(compgen -e -- "$word")); return ;;
            --key-fd) :; return ;;
            --key-command) :; return ;;
            --unlock-command) :; return ;;
            --slot) :; return ;;
            --compatibility) :; return ;;
            --kdf-iterations) :; return ;;
            --kdf-algorithm) :; return ;;
            --page-size) :; return ;;
            --hmac) :; return ;;
            --plaintext-header) :; return ;;
            --salt) :; return ;;
            --salt-from) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")); return ;;
            --cipher-settings) :; return ;;
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--yes --help --key-file --key-env --key-fd --key-command --key-ask --unlock-command --slot --no-keyring --compatibility --kdf-iterations --kdf-algorithm --page-size --hmac --plaintext-header --salt --salt-from --cipher-settings --quiet --verbose --color" -- "$word")) ;;
            *) local IFS=$'\n'; COMPREPLY+=($(compgen -f -- "$word")) ;;
        esac
        ;;
    "completions")
        case "$previous" in
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--help --quiet --verbose --color" -- "$word")) ;;
            *) COMPREPLY+=($(compgen -W "bash zsh fish" -- "$word")) ;;
        esac
        ;;
    "help")
        case "$previous" in
            --color) COMPREPLY+=($(compgen -W "auto always never" -- "$word")); return ;;
        esac
        case "$word" in
            -*) COMPREPLY=($(compgen -W "--man --list --help --quiet --verbose --color" -- "$word")) ;;
            *) :; COMPREPLY+=($(compgen -W "info check doctor query shell encrypt decrypt copy salvage rotate-key keygen key-id schema key backup sync completions help keys status json" -- "$word")) ;;
        esac
        ;;
    esac
}
complete -o filenames -o bashdefault -F _strongroom strongroom
