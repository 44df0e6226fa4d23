internal import Threads

/// Scans by the program `iw`, which needs CAP_NET_ADMIN as we do.
struct IwSource: WiFiSource {
    private static let work = BlockingWork("iw")
    private static let limitSeconds = 15.0
    private static let mostBytes = 4 << 20

    let name = "iw"
    let interface: String
    /// The program; tests have one of their own.
    var program = "iw"

    func scan() async throws(ScannerFault) -> [HeardNetwork] {
        let words = [program, "dev", interface, "scan"]
        let stop = ToolStop()
        let result = await withTaskCancellationHandler {
            await Self.work {
                ToolRun.output(
                    of: words, limitSeconds: Self.limitSeconds, mostBytes: Self.mostBytes,
                    stop: stop)
            }
        } onCancel: {
            stop.stop()
        }
        return IwText.read(try result.get()).networks
    }
}
