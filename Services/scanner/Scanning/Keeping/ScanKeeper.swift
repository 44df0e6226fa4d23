internal import Events
internal import ServiceRuntime
internal import Spool
internal import Threads
internal import Wire

/// Keeps scans and surveys in the spool, and the figures of the scanner's health. Its file calls
/// block, so it has a thread of its own.
actor ScanKeeper {
    struct Batch: Sendable {
        var queue: SpoolQueue
        var records: [SpoolRecord]
        /// A line for each record.
        var body: [UInt8]
    }

    private let executor = ThreadExecutor(name: "spool")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let spool: Spool
    private let time: any TimeSource
    private let boot: MachineBoot?
    private let log: Logger
    private let onWork: @Sendable () -> Void
    private var health: ScannerHealth
    private var isSyncPlanned = false
    private var faults: [String: String] = [:]

    /// - Parameters:
    ///   - boot: the machine's run; it tells how far the clock was set since a scan. Nil for none.
    ///   - onWork: called after each new record.
    init(
        folder: String, limitBytes: Int, enrolment: ScannerEnrolment, time: any TimeSource,
        boot: MachineBoot? = nil, log: Logger, onWork: @escaping @Sendable () -> Void
    ) throws(SpoolError) {
        let opened = try Spool(folder: folder, limitBytes: limitBytes)
        if let fault = Self.fault(of: opened.faultsOfFiles) {
            log.warning("A fault began.", ["part": .text(Self.files), "reason": .text(fault)])
            faults = [Self.files: fault]
        }
        spool = opened
        self.time = time
        self.boot = boot
        self.log = log
        self.onWork = onWork
        health = ScannerHealth(
            writtenAt: Timestamp(microseconds: time.nowMicroseconds), scanner: enrolment.scanner,
            server: enrolment.server)
    }

    /// The scan that was kept last, which no request asked for.
    private(set) var latest: ScanSubmission?

    /// Keeps a scan; one with a place is a survey.
    func keep(_ scan: ScanSubmission, request: EventID? = nil) {
        let queue: SpoolQueue = scan.place == nil ? .droppable : .kept
        health.scans += 1
        health.lastScanAt = scan.at
        if request == nil { latest = scan }
        let bytes = SpooledScan.bytes(scan, request: request, clock: clock(of: scan.at))
        _ = spool.append(bytes, to: queue, now: time.monotonicNanoseconds)
        noteSpool()
        planSync()
        onWork()
    }

    private var now: Timestamp { Timestamp(microseconds: time.nowMicroseconds) }

    private func clock(at now: Timestamp) -> SpoolClock? {
        guard let boot else { return nil }
        return SpoolClock(
            boot: boot.id, startedAt: now.advanced(byMicroseconds: -boot.microseconds()))
    }

    /// The clock by which the time of a record was taken. Lines of `--from` may have times of other
    /// clocks, which setting this machine's does not change: nil.
    private func clock(of time: Timestamp) -> SpoolClock? {
        let now = now
        return SpoolClock.mayHaveTaken(time, now: now) ? clock(at: now) : nil
    }

    /// Keeps reports of devices that this scanner heard.
    func keep(_ heard: [HeardAddress], by scanner: ScannerID, at moment: Timestamp) {
        guard !heard.isEmpty else { return }
        let clock = clock(of: moment)
        for one in heard {
            let bytes = SpooledScan.sighting(
                of: one.address, rssi: one.rssi, by: scanner, at: moment, clock: clock)
            _ = spool.append(bytes, to: .passing, now: time.monotonicNanoseconds)
        }
        noteSpool()
        planSync()
        onWork()
    }

    private func noteSpool() {
        note(spool.fault.map { "scans can't be kept: \($0)" }, of: "spool")
    }

    /// Brings records onto the disk a quarter of a second after the first one that isn't there. So
    /// no record that is older than a second is lost with the power.
    private func planSync() {
        guard !isSyncPlanned else { return }
        isSyncPlanned = true
        Task {
            try? await Task.sleep(for: .seconds(Spool.secondsBetweenSyncs))
            isSyncPlanned = false
            spool.syncIfDue(now: time.monotonicNanoseconds)
            // The disk refused, or the clock of the pause ran ahead.
            if spool.isSyncDue { planSync() }
        }
    }

    /// The part of the health that damaged files belong to. Its fault holds until the next start.
    private static let files = "spool-files"

    private static func fault(of faults: [SpoolError]) -> String? {
        guard let last = faults.last else { return nil }
        return "faults of the spool's files: \(faults.count); one that can't be read is set "
            + "aside as bad-…; the last fault: \(last)"
    }

    func batch(_ queue: SpoolQueue, atMost count: Int) -> Batch? {
        defer {
            if let fault = Self.fault(of: spool.faultsOfFiles) { note(fault, of: Self.files) }
        }
        do throws(SpoolError) {
            let records = try spool.oldest(
                of: queue, atMost: count, bytes: SendingRules.mostBytes)
            guard !records.isEmpty else { return nil }
            let now = now
            let clock = clock(at: now)
            var body: [UInt8] = []
            for record in records {
                body += SpooledScan.sent(record.bytes, at: now, clock: clock)
                body.append(UInt8(ascii: "\n"))
            }
            return Batch(queue: queue, records: records, body: body)
        } catch {
            note("the spool can't be read: \(error)", of: "spool")
            return nil
        }
    }

    /// Does what was decided on a batch.
    ///
    /// - Returns: false if the records that are put off can't be kept. Then the first of them
    ///   stays, with all that follow it in the batch. The segments of those before it make room.
    func settle(_ batch: Batch, _ decision: SendingRules.Decision) -> Bool {
        note(decision.fault, of: "server")
        guard decision.isSettled else { return true }
        guard let first = decision.again.min() else {
            settle(batch.records, of: batch.queue, decision)
            return true
        }
        // Before the others are forgotten: a crash between sends some again, with the same ids.
        let again = decision.again.map { batch.records[$0] }
        let isKept = spool.putBack(again, to: batch.queue, now: time.monotonicNanoseconds)
        noteSpool()
        if isKept {
            settle(batch.records, of: batch.queue, decision)
        } else {
            settle(Array(batch.records[..<first]), of: batch.queue, decision.untilAgain)
        }
        return isKept
    }

    /// Forgets records that the server has, or refused, or that were put back.
    private func settle(
        _ records: [SpoolRecord], of queue: SpoolQueue, _ decision: SendingRules.Decision
    ) {
        guard let last = records.last else { return }
        spool.acknowledge(through: last.sequence, of: queue, now: time.monotonicNanoseconds)
        for (code, count) in decision.refused {
            health.refused[code, default: 0] += count
            log.warning(
                "The server refused scans, which were deleted.",
                ["code": .text(code), "count": .integer(count)])
        }
        let refused = decision.refused.values.reduce(0, +)
        health.sent += records.count - refused - decision.again.count
        health.lastSentAt = now
    }

    /// Notes a line of `--from` that is no scan.
    func refuse(line number: Int, because reason: String) {
        health.badLines += 1
        log.warning(
            "A line is no scan; the others go on.",
            ["line": .integer(number), "reason": .text(reason)])
    }

    /// Notes an answer to a request that had ended.
    func countLateAnswer(to request: EventID, line number: Int) {
        health.lateAnswers += 1
        log.info(
            "An answer came after its request had ended, and is not sent.",
            ["line": .integer(number), "request": .text(request.description)])
    }

    func use(source: String) { health.source = source }

    /// The server takes no longer sentence in a scanner's health.
    private static let mostBytesOfFault = 1_000

    /// Tells a fault once, and its end once.
    func note(_ fault: String?, of part: String) {
        // A letter that is cut in two becomes one of three bytes.
        let fault = fault.map {
            String(decoding: $0.utf8.prefix(Self.mostBytesOfFault - 2), as: UTF8.self)
        }
        if fault != nil, faults[part] == nil {
            log.warning("A fault began.", ["part": .text(part), "reason": .text(fault ?? "")])
        } else if fault == nil, faults[part] != nil {
            log.info("A fault is over.", ["part": .text(part)])
        }
        faults[part] = fault
    }

    func sync() { spool.sync() }

    var isEmpty: Bool { spool.counts.waiting.values.allSatisfy { $0 == 0 } }

    func currentHealth() -> ScannerHealth {
        let counts = spool.counts
        health.writtenAt = now
        health.waitingScans = counts.waiting[.droppable] ?? 0
        health.waitingSurveys = counts.waiting[.kept] ?? 0
        health.waitingSightings = counts.waiting[.passing] ?? 0
        health.spoolBytes = counts.bytes
        health.dropped = counts.dropped
        health.notKept = counts.refused
        health.damagedBytes = counts.damagedBytes
        health.faults = faults.sorted { $0.key < $1.key }.map(\.value)
        return health
    }
}
