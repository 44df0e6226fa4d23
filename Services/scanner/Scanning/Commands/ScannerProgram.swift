internal import Events
internal import HTTPClient
internal import ServiceRuntime
internal import Spool
internal import Wire

/// The running scanner: the parts of `scanner run`, put together.
struct ScannerProgram: Sendable {
    private static let secondsBetweenStatuses = 10.0
    /// At the end of `--from -`, how long the rest may take to be sent. It stays in the spool.
    private static let secondsAtEnd = 30

    private let options: ScannerOptions
    private let folder: StateFolder
    private let enrolment: ScannerEnrolment
    private let log: Logger
    private let time = SystemTimeSource()
    private let wake: AsyncStream<Void>.Continuation
    private let work: AsyncStream<Void>
    private let keeper: ScanKeeper
    private let server: any ScannerServer
    private let settings: SiteSettings

    init(_ options: ScannerOptions, _ folder: StateFolder) throws(ScannerFault) {
        self.options = options
        self.folder = folder
        enrolment = try folder.enrolment()
        // Before the spool is opened.
        try folder.lock()
        log = Logger(service: "scanner", format: Logger.isTerminal ? .human : .json)
        let (work, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.work, self.wake) = (work, wake)
        do throws(SpoolError) {
            keeper = try ScanKeeper(
                folder: folder.spool, limitBytes: options.spoolMegabytes * 1_000_000,
                enrolment: enrolment, time: time, boot: MachineBoot.current(), log: log,
                onWork: { wake.yield() })
        } catch {
            throw ScannerFault("the spool can't be used: \(error)")
        }
        settings = SiteSettings(folder)
        server = RemoteServer(
            ScannerCommand.client(options), address: enrolment.server, token: enrolment.token)
    }

    /// Runs until a signal, or with `--from -` until the input ends.
    func run() async throws(ScannerFault) -> Int32 {
        let signals = StopSignals()
        let page = try listen()
        log.info("started", ["scanner": .text(enrolment.scanner.text)])
        if options.readsLines { await keeper.use(source: "lines") }
        wake.yield()
        let sender = ScanSender(keeper: keeper, server: server, wait: Self.wait)
        let teller = HealthTeller(
            scanner: enrolment.scanner, server: server, keeper: keeper, settings: settings,
            wait: Self.wait)
        let parts = [
            Task { await sender.run(seed: UInt64.random(in: 0 ... .max), work: work) },
            Task { await look() },
            Task { await teller.run() },
            Task { options.readsLines ? await readLines(signals) : await scan() },
        ]
        _ = await signals.wait()
        for part in parts { part.cancel() }
        await page?.stop()
        await keeper.sync()
        await writeStatus()
        await teller.putLast()
        log.info("stopped")
        return ExitCode.success.rawValue
    }

    /// Serves the latest scan to a page. Its code is shown once, here.
    private func listen() throws(ScannerFault) -> PageServer? {
        guard let port = options.listensAt else { return nil }
        let page = try PageServer(
            port: port, origin: enrolment.server, log: log,
            latest: { [keeper] in await keeper.latest })
        log.info(
            "A page of the server on this machine gets the scans with this code.",
            ["address": .text("127.0.0.1:\(page.port)"), "code": .text(page.code)])
        return page
    }

    private func scan() async {
        let radio = Radio(WiFiSources.sources(options.source, interface: options.interface))
        let maker = ScanMaker(
            enrolment: enrolment, radio: radio, keeper: keeper, server: server, time: time,
            wait: Self.wait, settings: settings, bluetooth: bluetooth())
        let poller = poller { await maker.answer($0) }
        let rhythm = ScanRhythm(
            intervalSeconds: options.intervalSeconds, restFactor: options.restFactor)
        async let polling: Void = poller.run(seed: UInt64.random(in: 0 ... .max))
        await maker.run(rhythm)
        await polling
    }

    private func poller(
        _ begin: @escaping @Sendable (ScannerTask) async -> Void
    ) -> RequestPoller {
        RequestPoller(
            scanner: enrolment.scanner, server: server, wait: Self.wait, begin: begin,
            onFault: { [keeper] in await keeper.note($0, of: "requests") })
    }

    /// Hears as much by Bluetooth as the site wants. Reports of people's devices go
    /// over TLS or not at all.
    private func bluetooth() -> @Sendable (ScannerSettings) async -> BluetoothHearing {
        guard options.usesBluetooth else { return { _ in .init() } }
        let (bluez, isSecret) = (BlueZ(), enrolment.server.hasPrefix("https://"))
        return { [keeper, options] settings in
            let isNode = settings.isNode && isSecret
            await keeper.note(
                settings.isNode && !isSecret
                    ? "the site asks for people's devices, which go over https only" : nil,
                of: "node")
            do throws(ScannerFault) {
                let heard = try await bluez.hear(
                    wanted: options.uuids.isEmpty ? settings.uuids : options.uuids,
                    people: isNode)
                await keeper.note(nil, of: "bluetooth")
                return heard
            } catch {
                await keeper.note("no beacons: \(error)", of: "bluetooth")
                return .init()
            }
        }
    }

    /// Keeps the lines of standard input, then waits until they are sent.
    private func readLines(_ signals: StopSignals) async {
        var intake = LineIntake(keeper: keeper, enrolment: enrolment, time: time)
        var polling: Task<Void, Never>?
        if options.passesRequests {
            let lines = RequestLines(
                wait: Self.wait,
                onFault: { [keeper] in await keeper.note($0, of: "requests-passed") })
            let delivery = ResultDelivery(server: server, time: time, wait: Self.wait)
            intake.requests = lines
            intake.deliver = { await delivery.send($0.scan, $0.task) }
            let poller = poller { await lines.begin($0) }
            polling = Task { await poller.run(seed: UInt64.random(in: 0 ... .max)) }
        }
        await intake.read()
        polling?.cancel()
        await keeper.sync()
        for _ in 0..<(Self.secondsAtEnd * 10) where await !keeper.isEmpty {
            await Self.wait(0.1)
        }
        signals.stop(because: "the input ended")
    }

    private func look() async {
        while !Task.isCancelled {
            await writeStatus()
            await Self.wait(Self.secondsBetweenStatuses)
        }
    }

    private func writeStatus() async {
        let health = await keeper.currentHealth()
        do throws(ScannerFault) {
            try folder.write(health.json, to: folder.statusFile)
        } catch {
            log.warning("The status can't be written.", ["reason": .text(error.description)])
        }
    }

    private static let wait: @Sendable (Double) async -> Void = { seconds in
        try? await Task.sleep(for: .seconds(seconds))
    }
}
