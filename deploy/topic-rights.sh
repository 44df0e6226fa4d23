#!/bin/sh
# Tells the brokers who may read and write which topic. It runs at every start in a container of Kafka's
# image, as the administrator of the topics; what the brokers know already stays as it is.
#
# A principal is the name in a client's certificate (deploy/certificates.sh). Whoever is not in the table
# may do nothing, and nobody but site-editor can write a token or a site.
set -eu
brokers=$1

# principal | reads | writes; the names of topics without their prefix
table='
scan-ingest         | scans-inbound scan-requests dead-letters | scans surveys
site-editor         | surveys dead-letters scan-requests | site outages tokens scan-requests erasures
fingerprint-builder | surveys survey-reviews magnetic-routes radio-maps | fingerprints radio-maps magnetic-routes survey-reviews
locator             | scans radio-maps magnetic-routes positions visits locator-state | scans visits locator-state
router              | |
producer            | | scans-inbound
analyst             | positions visits |
'
# The consumer groups and transactions of each, by how their names begin: processors and views.
owned() {
    case $1 in
    scan-ingest | fingerprint-builder) echo "$1" ;;
    site-editor) echo surveyed-places ;;
    locator) echo locator visits-view ;;
    esac
}
services='scan-ingest site-editor fingerprint-builder locator router'
# What every service looks up; each may set a record aside, too.
shared='tokens site outages erasures'

cat >/tmp/administrator.properties <<'END'
security.protocol=SSL
ssl.truststore.type=PEM
ssl.truststore.location=/etc/kafka/secrets/ca.pem
ssl.keystore.type=PEM
ssl.keystore.location=/etc/kafka/secrets/keystore.pem
END

# allow ARGUMENT...: one call of Kafka's own tool, kafka-acls. Each is a Java process, and most of one
# goes into loading classes, so the first puts them into a file that the others share.
archive=-XX:ArchiveClassesAtExit=/tmp/classes.jsa
allow() {
    java -Xmx64m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable -Xlog:all=error:stderr \
        "$archive" -cp '/opt/kafka/libs/*' \
        org.apache.kafka.tools.AclCommand --bootstrap-server "$brokers" \
        --command-config /tmp/administrator.properties --add "$@" >/dev/null
}

# each OPTION PREFIX WORD...: the option before each word
each() {
    option=$1 prefix=$2
    shift 2
    for word in "$@"; do printf '%s %s%s ' "$option" "$prefix" "$word"; done
}

# rights PRINCIPAL READS WRITES
# shellcheck disable=SC2046,SC2086  # the words are ours, and meant to fall apart
rights() {
    principal="--allow-principal User:CN=$1"
    [ -z "$2" ] || allow $principal --operation Read $(each --topic whereabouts. $2)
    [ -z "$3" ] || allow $principal --operation Write $(each --topic whereabouts. $3)
    words=$(owned "$1")
    [ -n "$words" ] || return 0
    # Positions of every positioner have a topic of their own.
    [ "$1" != locator ] || topics='--topic whereabouts.positions'
    allow $principal --operation All --resource-pattern-type prefixed \
        $(each --group '' $words) $(each --transactional-id '' $words) ${topics:-}
}

all=$(each --allow-principal User:CN= $services)
# shellcheck disable=SC2086
allow $all --operation Describe --operation Create --operation DescribeConfigs \
    --operation AlterConfigs --resource-pattern-type prefixed --topic whereabouts.
archive=-XX:SharedArchiveFile=/tmp/classes.jsa
# shellcheck disable=SC2046,SC2086
allow $all --operation Read $(each --topic whereabouts. $shared) --group whereabouts-reader &
jobs=$!
# shellcheck disable=SC2086
allow $all --operation Write --topic whereabouts.dead-letters &
jobs="$jobs $!"
printf '%s\n' "$table" >/tmp/table
while IFS='|' read -r name reads writes; do
    name=${name%% *}
    [ -n "$name" ] || continue
    # Without the blanks that make the table one.
    # shellcheck disable=SC2086,SC2116
    rights "$name" "$(echo $reads)" "$(echo $writes)" &
    jobs="$jobs $!"
done </tmp/table
for job in $jobs; do wait "$job"; done
echo "the brokers know who may do what"
