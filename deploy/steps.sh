# Functions for deploy/test, deploy/quickstart and deploy/release, which source this file: steps, packages,
# clean-up.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
current_step="start"
started_at=$SECONDS
clean_up_actions=()
# The process that this script waits for; empty for none.
running_program=

# report TEXT: writes a line for people to stderr.
report() { printf '%s\n' "$*" >&2; }

# step NAME COMMAND...: runs the command; if it fails, reports the name and ends the script.
step() {
    current_step=$1
    shift
    report "== $current_step"
    local began=$SECONDS
    "$@" || fail "exit status $?"
    local took=$((SECONDS - began))
    [ "$took" -lt 2 ] || report "   $took s"
}

fail() {
    report "FAILED in step '$current_step': $*"
    exit 1
}

# on_exit COMMAND: runs the command when the script ends, for any reason; the newest command first.
on_exit() { clean_up_actions=("$1" ${clean_up_actions[@]+"${clean_up_actions[@]}"}); }

clean_up() {
    local status=$? action
    trap - EXIT INT TERM
    [ -z "$running_program" ] || kill "$running_program" 2>/dev/null
    for action in ${clean_up_actions[@]+"${clean_up_actions[@]}"}; do eval "$action" || true; done
    exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# interruptible PROGRAM ARGUMENT...: runs the program so that signals reach this script at once, not
# only when the program has ended. If the script ends meanwhile, so does the program. Programs that
# bash starts in the background ignore SIGINT by default; env restores it.
interruptible() {
    local status=0
    env --default-signal=INT "$@" &
    running_program=$!
    wait "$running_program" || status=$?
    running_program=
    return "$status"
}

# descendants PID: prints the ids of all processes that the process has started, directly or not.
descendants() {
    local child
    for child in $(pgrep -P "$1"); do
        descendants "$child"
        printf '%s\n' "$child"
    done
}

# end_descendants: sends SIGTERM to all processes that this script has started, and SIGKILL after 5 s.
end_descendants() {
    local pids pid try
    pids=$(descendants "$$")
    for try in 1 2 3 4 5 6 7 8 9 10; do
        local left=()
        for pid in $pids; do kill -0 "$pid" 2>/dev/null && left+=("$pid"); done
        [ ${#left[@]} = 0 ] && return
        if [ "$try" = 1 ]; then kill -TERM "${left[@]}" 2>/dev/null; fi
        sleep 0.5
    done
    kill -KILL "${left[@]}" 2>/dev/null
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo -n "$@"
    else fail "needs root or sudo for: $*"; fi
}

# Debian's packages for building.
build_packages=(
    g++ pkg-config libpq-dev librdkafka-dev libmicrohttpd-dev libcurl4-openssl-dev
    libsimdjson-dev libsodium-dev uuid-dev libarchive-dev libexpat1-dev libosmium2-dev
    libcjose-dev libjansson-dev librsvg2-dev libseccomp-dev libssl-dev libdbus-1-dev
    libnl-genl-3-dev libical-dev libxml2-dev libmosquitto-dev libqrencode-dev
)
# Debian's packages for building and running.
run_packages=(
    "${build_packages[@]}" postgresql curl python3 poppler-utils fonts-dejavu-core libjs-leaflet
)
# Additional packages for tests without servers, and then for all tests.
quick_test_packages=(
    python3 python3-jsonschema git procps util-linux dpkg-dev poppler-utils fonts-dejavu-core
    nodejs node-acorn
)
test_packages=(
    "${quick_test_packages[@]}" docker-compose kcat openjdk-17-jre-headless python3-venv faketime
    iproute2 mount prometheus python3-aiosmtpd openssl dbus python3-dbusmock
    mosquitto mosquitto-clients chromium chromium-driver w3m
)
# Additional packages for `deploy/test --long`.
long_test_packages=(firefox-esr webkit2gtk-driver xvfb)

# Additional packages for a release.
release_packages=(
    binutils debian-archive-keyring dpkg-dev git gzip minisign mmdebstrap procps python3 util-linux
    xz-utils
)

# install_packages NAME...: installs missing packages; quick if none is missing.
install_packages() {
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'ok installed' \
            || missing+=("$name")
    done
    [ ${#missing[@]} = 0 ] && return 0
    report "   installing: ${missing[*]}"
    as_root apt-get update -qq || return 1
    # Debian's packages must start no server of their own; the scripts start private ones.
    as_root mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] \
        || echo 'create_main_cluster = false' \
        | as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_swift() {
    command -v swift >/dev/null || fail "the Swift 6.3 toolchain is not on PATH (see swift.org)"
}
