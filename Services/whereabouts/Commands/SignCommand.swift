import Cryptography
import Events
import ServiceRuntime
import Wire

extension Command {
    /// Signs a record of `scans-inbound` for a producer that writes to Kafka directly.
    public static let sign = Command(
        name: "sign", summary: "sign a record of scans-inbound",
        help: """
            whereabouts sign FILE --key PEM --token-id ID [--record-key TEXT]

              FILE          the record's value: a scan or a survey as JSON
              --key         the file of the secret key; the token holds its public half
              --token-id    the token's id, which is no secret
              --record-key  the record's key, empty by default

            Prints the record's headers, with the present time, as options of kcat:

              kcat -P -b BROKER -t whereabouts.scans-inbound -k TEXT $(whereabouts sign ...) FILE
            """,
        run: { invocation in
            let reader = try ArgumentReader(
                invocation.arguments, options: ["--key", "--token-id", "--record-key"])
            guard reader.positional.count == 1 else { throw UsageFault("sign needs one file") }
            guard let keyFile = reader.last("--key"), let id = reader.last("--token-id") else {
                throw UsageFault("sign needs --key and --token-id")
            }
            guard let signer = EventID(id) else { throw UsageFault("\(id) is no token's id") }
            let signature = RecordSignature(
                topic: Topic.scansInbound.name,
                key: Array((reader.last("--record-key") ?? "").utf8),
                value: try readFile(reader.positional[0]), by: signer,
                at: Timestamp(microseconds: SystemTimeSource().nowMicroseconds),
                with: try SigningKeyFile(keyFile).pair())
            for (name, value) in signature.headers { invocation.output("-H \(name)=\(value)") }
        })
}
