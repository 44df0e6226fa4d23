internal import Events
internal import ServiceRuntime
internal import Wire

/// Makes scans: in its rhythm, and when somebody asks.
struct ScanMaker: Sendable {
    let enrolment: ScannerEnrolment
    let radio: Radio
    let keeper: ScanKeeper
    let server: any ScannerServer
    let time: any TimeSource
    let wait: @Sendable (_ seconds: Double) async -> Void
    var settings = SiteSettings(nil)
    /// Hears by Bluetooth.
    var bluetooth: @Sendable (ScannerSettings) async -> BluetoothHearing = { _ in .init() }

    /// Scans until the task is cancelled.
    func run(_ rhythm: ScanRhythm) async {
        var rhythm = rhythm
        while !Task.isCancelled {
            let begin = time.monotonicNanoseconds
            var pause = rhythm.intervalSeconds
            do throws(ScannerFault) {
                let (scan, people) = try await scan()
                pause = rhythm.seconds(after: scan.content.wifi)
                // People move while a node rests.
                if settings.current.isNode { pause = rhythm.intervalSeconds }
                if !scan.content.saysNothing { await keeper.keep(scan) }
                await keeper.keep(people, by: enrolment.scanner, at: scan.at)
                await keeper.note(nil, of: "radio")
            } catch {
                await keeper.note("no scan: \(error)", of: "radio")
            }
            let passed = Double(time.monotonicNanoseconds - begin) / 1e9
            await wait(max(0.1, pause - passed))
        }
    }

    /// One scan, with a new id. Its time is that of its end, when its readings are youngest.
    ///
    /// - Returns: the scan, and the devices of other people that a node heard.
    func scan() async throws(ScannerFault) -> (scan: ScanSubmission, people: [HeardAddress]) {
        let settings = settings.current
        var wifi: [WiFiReading] = []
        var fault: ScannerFault?
        do throws(ScannerFault) {
            wifi = try await radio.scan().filter { !settings.leavesOut($0) }
        } catch {
            fault = error
        }
        let heard = await bluetooth(settings)
        // Beacons alone make a scan, too.
        if let fault, heard.beacons.isEmpty, heard.people.isEmpty { throw fault }
        let now = Timestamp(microseconds: time.nowMicroseconds)
        var scan = ScanSubmission(at: now, receivedAt: now)
        scan.id = EventID(at: now)
        scan.site = enrolment.site
        scan.scanner = enrolment.scanner
        scan.device = DeviceID(enrolment.scanner.text)
        scan.content = ScanContent(wifi: wifi, ble: heard.beacons)
        await keeper.use(source: radio.sourceName)
        return (scan, heard.people)
    }

    /// A scan as `scanner once` prints it.
    static func printed(_ readings: [WiFiReading], at time: Int64) -> [UInt8] {
        let now = Timestamp(microseconds: time)
        var scan = ScanSubmission(at: now, receivedAt: now)
        scan.content = ScanContent(wifi: readings)
        return scan.json
    }

    /// Answers a request. A scan that is to be stored goes through the spool; any other one is
    /// never on a disk.
    func answer(_ task: ScannerTask) async {
        do throws(ScannerFault) {
            var (scan, _) = try await scan()
            guard !Task.isCancelled else { return }
            scan.place = task.place
            if task.isStored {
                await keeper.keep(scan, request: task.id)
            } else {
                await ResultDelivery(server: server, time: time, wait: wait).send(scan, task)
            }
        } catch {
            if Task.isCancelled { return }
            await keeper.note("no scan for a request: \(error)", of: "request")
            return
        }
        await keeper.note(nil, of: "request")
    }
}
