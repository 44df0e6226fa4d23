public import EventLog
import Events
public import HTTP
public import LogViews
import Retrying
public import ServiceRuntime
import Site
import Wire

extension Host {
    /// The most bytes of the reason that a dead letter keeps.
    private static let detailLimit = 1_000
    /// Bytes of a letter beside the value, the key and the headers, with room to spare.
    private static let frameBytes = 20_000
    /// Codes of records whose sender is not proven. The token may only have come late, so a scan of
    /// usual size is kept in full. A larger record is cut to `strangersBytes`.
    private static let strangersCodes = Set(
        [ProblemCode.tokenMissing, .tokenWrong, .signatureWrong, .signatureStale].map(\.text))
    static let strangersBytes = 16 << 10

    /// Lets a consumer set records aside.
    ///
    /// - Parameters:
    ///   - consumer: the name of the view or group, as letters give it.
    ///   - source: the `source` of the events (CloudEvents).
    public func deadLetters(of consumer: String, source: String) -> DeadLetters {
        DeadLetters(
            letter: { letter($0, of: consumer, source: source) }, sender: { sender(of: $0) },
            largestRecord: { Topic.largestRecord($0) })
    }

    /// The event that sets a record aside, with the complete record. Its id is the record's place
    /// in the log, so a record that is set aside twice can be recognised.
    private func letter(_ fault: SetAside, of consumer: String, source: String) -> LogRecord {
        let record = fault.record
        context.metrics.counter(
            "whereabouts_dead_letters_total", help: "Records that were set aside.",
            labels: ["topic": record.topic, "code": fault.code]
        ).increment()
        recordsSetAside.increment()
        // At most ten lines a minute for each code; the letter itself has the reason.
        context.log.warning(
            "a record was set aside: \(fault.code)",
            [
                "record": .text("\(record.topic)/\(record.partition)/\(record.offset)"),
                "consumer": .text(consumer),
            ])
        // A service's own record fits. A stranger's may be larger, where brokers pack records.
        let isStrangers = isOfStranger(fault)
        let room =
            isStrangers
            ? Self.strangersBytes * 4
            : Topic.deadLetters.maximumRecordBytes / 4 * 3 - Self.frameBytes
        let kept =
            fault.screened
            ?? ScreenedRecord(key: record.key, value: record.value, headers: record.headers)
        let key = kept.key.map { Array($0.prefix(room / 4)) }
        let headers = Array(kept.headers.encoded.count > room / 4 ? [] : kept.headers.encoded)
        let left =
            isStrangers ? Self.strangersBytes : room - headers.count - (key?.count ?? 0)
        let value = kept.value.map { $0.count > left ? Array($0.prefix(left)) : $0 }
        let isWithheld = kept.value == nil && record.value != nil
        return DeadLettered(
            topic: record.topic, partition: record.partition, offset: record.offset,
            code: fault.code,
            detail: String(
                decoding: fault.detail.utf8.filter { $0 != 0 }.prefix(Self.detailLimit),
                as: UTF8.self),
            key: key, value: value, at: now, headers: headers, consumer: consumer,
            appendedAt: Timestamp(microseconds: record.appendedAtMicroseconds),
            isCut: isWithheld || value?.count != kept.value?.count
                || key?.count != kept.key?.count || headers.count != kept.headers.encoded.count,
            isScreened: fault.screened != nil
        ).record(source: source)
    }

    /// With `WHEREABOUTS_INBOUND=acl` the brokers have identified the writer, so nobody is a
    /// stranger.
    private func isOfStranger(_ fault: SetAside) -> Bool {
        fault.record.topic == Topic.scansInbound.name && Self.strangersCodes.contains(fault.code)
            && InboundProof(configuration) == .signed
    }

    /// The token that a record came with, if it names one; else the device in its key. All records
    /// without a valid token have one common sender, the stranger.
    public func sender(of record: StoredRecord) -> RecordSender {
        if record.topic == Topic.scansInbound.name {
            guard let caller = signer(of: record) ?? bearer(of: record) else { return .unknown }
            return RecordSender(site: caller.onlySite.map(Self.tenant), name: caller.id)
        }
        let parts = String(decoding: (record.key ?? []).prefix(200), as: UTF8.self)
            .split(separator: "/", omittingEmptySubsequences: false)
        let site = parts.count > 1 ? Self.tenant(SiteID(String(parts[0]))) : nil
        if let sender = record.headers["ce_sender"] {
            return RecordSender(site: site, name: sender)
        }
        return RecordSender(site: site, name: parts.last.map(String.init) ?? "")
    }

    /// A site and its testers' site are one tenant, whose senders must not count as several.
    private static func tenant(_ site: SiteID) -> String { (site.tested ?? site).text }

    /// The caller whose valid signature the record bears.
    ///
    /// A name without a signature does not count, and neither does a copy of an old record.
    /// Otherwise anybody could have another sender blocked.
    private func signer(of record: StoredRecord) -> Caller? {
        guard let signature = try? RecordSignature(headers: record.headers),
            let caller = tokens.caller(ofToken: signature.signer), let key = caller.signingKey,
            signature.verifies(record, publicKey: key),
            signature.isFresh(at: PutBack.firstAppended(record, secret: serviceSecret))
        else { return nil }
        return caller
    }

    private func bearer(of record: StoredRecord) -> Caller? {
        guard let words = record.headers["authorization"]?.split(separator: " "), words.count == 2
        else { return nil }
        return tokens.caller(forBearer: String(words[1]))
    }

    /// The component that keeps a view up to date. When it fails for good only this view stops, and
    /// its readers get 503.
    public func keeping(
        _ view: any View, source: String, changes: ChangeCounter? = nil
    ) -> any Component {
        let projector = Projector(
            view, log: log, pool: requiredDatabase(),
            deadLetters: deadLetters(of: view.name, source: source),
            onProgress: { if $0 > 0 { changes?.add() } }, notices: notices)
        return consumer(view.name) { try await projector.run() }
    }
}

extension [Route] {
    /// Routes of these patterns that read the view. They answer 503 once the view has stopped for
    /// good, since its rows no longer follow the log.
    public func reading(_ view: any View, of host: Host, at patterns: Set<String>) -> [Route] {
        map { route in
            guard patterns.contains(route.pattern), route.method == .get,
                case .task(let handler) = route.handler
            else { return route }
            var route = route
            route.handler = .task { [retries = host.retries, name = view.name] request in
                guard !retries.hasStopped(name) else {
                    throw Problem(
                        .viewStopped,
                        "This view has stopped; try again when the operator has repaired it.",
                        retryAfterSeconds: 60)
                }
                return try await handler(request)
            }
            return route
        }
    }
}
