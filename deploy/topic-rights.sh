#!/bin/sh
# Sets in the brokers who may read and write which topic. It runs at every start in a container of Kafka's
# image, as the administrator of the topics. It adds missing rights of the table; then it removes rights
# beyond the table from the table's principals. Other principals are left alone.
#
# A principal is the name in a client's certificate (deploy/certificates.sh). A name that is not in the
# table may do nothing, and only site-editor can write a token or a site. To remove all rights of a name,
# leave it in the table with nothing behind it.
set -eu
brokers=$1
work=${TMPDIR:-/tmp}

# principal | reads | writes; the names of topics without their prefix
table='
scan-ingest         | scans-inbound dead-letters erasures scan-requests sightings sighting-windows | scans survey-records taps scan-requests sightings sighting-windows
site-editor         | survey-records dead-letters scan-requests | site site-documents outages tokens erasures scans sightings taps scan-requests
fingerprint-builder | surveys scans survey-records taps survey-reviews erasures magnetic-routes radio-maps | survey-records fingerprints radio-maps magnetic-routes survey-reviews
locator             | scans radio-maps magnetic-routes positions positions-beside positions-smoothed smoothing-windows visits beacon-batteries locator-state erasures dead-letters | scans positions positions-beside positions-smoothed smoothing-windows visits beacon-batteries locator-state
router              | |
timetable-fetcher   | | timetables availability
producer            | | scans-inbound
analyst             | positions positions-smoothed visits timetables availability |
operator            | dead-letters scans scans-inbound sightings taps surveys survey-records survey-reviews magnetic-routes positions positions-beside positions-smoothed visits beacon-batteries erasures fingerprints radio-maps tokens site site-documents outages scan-requests timetables availability | dead-letters scans scans-inbound sightings taps surveys
topics              | |
'
# owned NAME: prints the prefixes of the principal's consumer groups and transactional ids. They belong to
# processors and views; those of the operator put records back.
owned() {
    case $1 in
    scan-ingest) echo scan-ingest ;;
    fingerprint-builder) echo fingerprint-builder node-hearings ;;
    site-editor) echo surveyed-places ;;
    locator) echo locator visits-view ;;
    operator) echo dead-letters ;;
    esac
}
services='scan-ingest site-editor fingerprint-builder locator router timetable-fetcher'
# Topics that every service reads; every service may also write dead letters.
shared='tokens site site-documents outages'

cat >"$work/administrator.properties" <<'END'
security.protocol=SSL
ssl.truststore.type=PEM
ssl.truststore.location=/etc/kafka/secrets/ca.pem
ssl.keystore.type=PEM
ssl.keystore.location=/etc/kafka/secrets/keystore.pem
END

# acls ARGUMENT...: one call of Kafka's tool kafka-acls. Each call is a Java process that mostly loads
# classes, so the first call writes them to a file that the others share.
archive=-XX:ArchiveClassesAtExit=$work/classes.jsa
acls() {
    java -Xmx64m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable -Xlog:all=error:stderr \
        "$archive" -cp '/opt/kafka/libs/*' \
        org.apache.kafka.tools.AclCommand --bootstrap-server "$brokers" \
        --command-config "$work/administrator.properties" "$@" </dev/null
}

# A right is one line: principal|host|pattern type of the name|operation|resource type|resource name

# may PRINCIPAL PATTERN OPERATIONS KIND NAME...
may() {
    principal=$1 pattern=$2 operations=$3 kind=$4
    shift 4
    for name in "$@"; do
        for operation in $operations; do
            echo "User:CN=$principal|*|$pattern|$operation|$kind|$name"
        done
    done
}

# topics NAME...: the names with their prefix
topics() { for name in "$@"; do echo "whereabouts.$name"; done; }

# rights PRINCIPAL READS WRITES
# shellcheck disable=SC2046,SC2086  # the words are our own, and are to be split
rights() {
    may "$1" LITERAL READ TOPIC $(topics $2)
    may "$1" LITERAL WRITE TOPIC $(topics $3)
    may "$1" PREFIXED ALL GROUP $(owned "$1")
    may "$1" PREFIXED ALL TRANSACTIONAL_ID $(owned "$1")
    case " $services " in
    *" $1 "*)
        may "$1" PREFIXED 'DESCRIBE DESCRIBE_CONFIGS' TOPIC whereabouts.
        may "$1" LITERAL READ TOPIC $(topics $shared)
        may "$1" LITERAL WRITE TOPIC whereabouts.dead-letters
        ;;
    esac
    case $1 in
    # A principal that reads a topic needs a consumer group of this name.
    scan-ingest | site-editor | fingerprint-builder | locator | router | timetable-fetcher | operator)
        may "$1" LITERAL READ GROUP whereabouts-reader ;;
    esac
    case $1 in
    # `whereabouts doctor` runs with its account, and asks how far these groups have read.
    site-editor)
        may "$1" LITERAL DESCRIBE GROUP locator
        may "$1" LITERAL DESCRIBE GROUP locator-smoother
        may "$1" LITERAL DESCRIBE GROUP scan-ingest
        may "$1" LITERAL DESCRIBE GROUP scan-ingest-sightings
        ;;
    operator)
        may "$1" PREFIXED DESCRIBE TOPIC whereabouts.
        # A backup asks how far these groups have read.
        may "$1" LITERAL DESCRIBE GROUP locator
        may "$1" LITERAL DESCRIBE GROUP scan-ingest
        may "$1" LITERAL DESCRIBE GROUP scan-ingest-sightings
        may "$1" LITERAL DESCRIBE GROUP fingerprint-builder-surveys
        ;;
    # This principal makes the topics before the services start. With the right to set a retention a
    # client could also empty a topic, so no service has that right.
    topics)
        may "$1" PREFIXED 'DESCRIBE CREATE DESCRIBE_CONFIGS ALTER_CONFIGS' TOPIC whereabouts.
        # It writes no records, but its producer asks the brokers for an id.
        may "$1" LITERAL IDEMPOTENT_WRITE CLUSTER kafka-cluster
        ;;
    esac
}

printf '%s\n' "$table" >"$work/table"
names=
: >"$work/rights"
while IFS='|' read -r name reads writes; do
    name=${name%% *}
    [ -n "$name" ] || continue
    names="$names $name"
    rights "$name" "$reads" "$writes" >>"$work/rights"
done <"$work/table"
sort -u "$work/rights" >"$work/wanted"

# present: prints the rights that our principals have, without those that deny something
present() {
    # shellcheck disable=SC2086
    acls --list $(for name in $names; do echo "--principal User:CN=$name"; done) >"$work/list"
    sed -n -e 's/^.*ResourcePattern(resourceType=\(.*\), name=\(.*\), patternType=\(.*\)).*$/R|\3|\1|\2/p' \
        -e 's/^.*(principal=\(.*\), host=\(.*\), operation=\(.*\), permissionType=ALLOW).*$/A|\1|\2|\3/p' \
        "$work/list" | awk -F'|' -v OFS='|' '
            $1 == "R" { pattern = $2; kind = $3; name = $4 }
            $1 == "A" { print $2, $3, pattern, $4, kind, name }' | sort -u
}

# collapse FIELD: joins lines that differ in this field alone into one line with all its words
collapse() {
    awk -F'|' -v OFS='|' -v field="$1" '
        { word = $field; $field = ""; words[$0] = words[$0] " " word }
        END { for (line in words) { $0 = line; $field = words[line]; print } }'
}

# each OPTION WORD...: prints the words, each with the option before it
each() {
    option=$1
    shift
    for word in "$@"; do printf '%s %s ' "$option" "$word"; done
}

settle() {
    for job in $jobs; do wait "$job"; done
    jobs= count=0
}

# change --add|--remove: makes one call for each line of its input; only a few at a time, since each needs
# 90 MB.
change() {
    jobs= count=0
    while IFS='|' read -r principals hosts pattern operations things; do
        # The brokers print * for any host; the shell must not expand it to names of files.
        set -f
        # shellcheck disable=SC2046,SC2086  # as above
        acls "$@" $(each --allow-principal $principals) $(each --allow-host $hosts) \
            --resource-pattern-type "$pattern" $(each --operation $operations) $things >/dev/null &
        jobs="$jobs $!"
        set +f
        count=$((count + 1))
        [ "$count" -lt 8 ] || settle
    done
    settle
}

# calls: reduces the rights to as few calls as possible. One call of Kafka's tool gives all its principals
# all its operations on all its resources.
calls() {
    awk -F'|' -v OFS='|' '
        { gsub("_", "", $4); gsub("_", "-", $5) }
        { print $1, $2, $3, $4, "--" tolower($5) ($5 == "CLUSTER" ? "" : " " $6) }' |
        sort | collapse 5 | sort | collapse 4 | sort | collapse 1
}

present >"$work/present"
archive=-XX:SharedArchiveFile=$work/classes.jsa
comm -13 "$work/present" "$work/wanted" | calls >"$work/calls"
change --add <"$work/calls"
# Rights beyond the table are removed only after all missing ones were added, so nobody lacks one meanwhile.
comm -23 "$work/present" "$work/wanted" | calls >"$work/calls"
change --remove --force <"$work/calls"
echo "the brokers have the rights of the table"
