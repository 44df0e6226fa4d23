#!/bin/sh
# Makes the certificates and secrets by which containers identify each other: a certificate authority, and
# for each NAME a folder /secrets/NAME that belongs to its user:
#   ca.pem, certificate.pem, key.pem   for TLS with client certificates; the certificate's name is CN=NAME
#   keystore.pem                       key and certificate in one file, as Kafka's brokers need them
#   service-secret                     the secret that services show each other, from
#                                      WHEREABOUTS_SERVICE_SECRET; only with :service, since some folders
#                                      are given to people outside
#
#   certificates.sh NAME:USER[:service] ...
#   certificates.sh               only the services' secret, in /secrets
#
# It runs at every start and renews only certificates that end within 90 days. The authority's key stays in
# /authority, a volume of this container alone.
set -eu
umask 077
authority_days=3650
certificate_days=825
spare_seconds=$((90 * 86400))

lasts() { [ -s "$1" ] && openssl x509 -in "$1" -noout -checkend "$spare_seconds" >/dev/null; }

new_key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

make_authority() {
    new_key /authority/key.pem
    openssl req -x509 -new -key /authority/key.pem -sha256 -days "$authority_days" \
        -subj "/CN=whereabouts authority" -addext "keyUsage=critical,keyCertSign,cRLSign" \
        -out /authority/ca.pem
}

# make_certificate NAME FOLDER
make_certificate() {
    new_key "$2/key.pem"
    printf '%s\n' "subjectAltName=DNS:$1" "basicConstraints=critical,CA:FALSE" \
        "keyUsage=critical,digitalSignature" "extendedKeyUsage=serverAuth,clientAuth" >/tmp/extensions
    openssl req -new -key "$2/key.pem" -subj "/CN=$1" -out /tmp/request
    openssl x509 -req -in /tmp/request -CA /authority/ca.pem -CAkey /authority/key.pem \
        -CAcreateserial -CAserial /tmp/serial -sha256 -days "$certificate_days" \
        -extfile /tmp/extensions -out "$2/certificate.pem" 2>/dev/null
    cp /authority/ca.pem "$2/ca.pem"
    cat "$2/key.pem" "$2/certificate.pem" "$2/ca.pem" >"$2/keystore.pem"
}

# hand_over FOLDER USER [:service]
hand_over() {
    if [ "$3" = :service ]; then
        # Only the small installation may leave the secret out; then it keeps one of its own.
        secret=${WHEREABOUTS_SERVICE_SECRET:-$(cat "$1/service-secret" 2>/dev/null || :)}
        # Replace the file in one step, since a service may be reading it.
        printf '%s' "${secret:-$(openssl rand -hex 32)}" >"$1/service-secret.new"
        mv -f "$1/service-secret.new" "$1/service-secret"
    else
        rm -f "$1/service-secret"
    fi
    chown -R "$2" "$1"
    chmod 500 "$1"
    chmod 400 "$1"/*
}

if [ $# = 0 ]; then
    # 10001 is the user of the project's image.
    hand_over /secrets 10001 :service
    exit
fi
lasts /authority/ca.pem || make_authority
for word in "$@"; do
    name=${word%%:*}
    folder=/secrets/$name
    if ! lasts "$folder/certificate.pem" || ! cmp -s /authority/ca.pem "$folder/ca.pem"; then
        make_certificate "$name" "$folder"
    fi
    rest=${word#*:}
    user=${rest%%:*}
    hand_over "$folder" "$user" "${rest#"$user"}"
done
