internal import Events
internal import Wire

/// Tells the server how the scanner does, and gets the site's settings when they have changed.
struct HealthTeller: Sendable {
    private static let secondsBetween = 60.0
    private static let timeoutSeconds = 20.0
    /// The scanner's end waits no longer for a server that is away.
    private static let timeoutSecondsAtEnd = 3.0

    let scanner: ScannerID
    let server: any ScannerServer
    let keeper: ScanKeeper
    let settings: SiteSettings
    let wait: @Sendable (_ seconds: Double) async -> Void

    /// Tells until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await send()
            await wait(Self.secondsBetween)
        }
    }

    /// Faults are left to those who send scans: they meet the same ones.
    func send() async {
        let reply = await put(timeoutSeconds: Self.timeoutSeconds)
        guard case .answered(200, let body, _) = reply,
            let tag = ScannerHealthAnswer.tag(json: body), tag != settings.current.tag
        else { return }
        let answer = await server.send(
            "GET", "/v1/scanners/\(scanner)/settings", body: [],
            timeoutSeconds: Self.timeoutSeconds)
        guard case .answered(200, let body, _) = answer else { return }
        do {
            try settings.replace(with: try ScannerSettings(json: body))
            await keeper.note(nil, of: "settings")
        } catch {
            await keeper.note("the site's settings can't be used: \(error)", of: "settings")
        }
    }

    /// Tells the figures of the scanner's end, once.
    func putLast() async { _ = await put(timeoutSeconds: Self.timeoutSecondsAtEnd) }

    private func put(timeoutSeconds: Double) async -> ServerReply {
        await server.send(
            "PUT", "/v1/scanners/\(scanner)/health", body: keeper.currentHealth().json,
            timeoutSeconds: timeoutSeconds)
    }
}
