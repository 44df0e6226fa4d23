internal import Events

/// A way to scan for Wi-Fi networks.
protocol WiFiSource: Sendable {
    var name: String { get }
    func scan() async throws(ScannerFault) -> [HeardNetwork]
}

/// One radio: its scans come one after the other, by the first source that works. A task that is
/// cancelled stops its own scan, and no other's.
actor Radio {
    private let sources: [any WiFiSource]
    private var last: Task<Void, Never>?
    /// The source that worked last; it is tried first.
    private(set) var current = 0

    init(_ sources: [any WiFiSource]) { self.sources = sources }

    var sourceName: String { sources.isEmpty ? "none" : sources[current].name }

    func scan() async throws(ScannerFault) -> [WiFiReading] {
        let before = last
        let scanning = Task { () -> Result<[WiFiReading], ScannerFault> in
            await before?.value
            return await self.scanNow()
        }
        last = Task { _ = await scanning.value }
        let result = await withTaskCancellationHandler {
            await scanning.value
        } onCancel: {
            scanning.cancel()
        }
        return try result.get()
    }

    private func scanNow() async -> Result<[WiFiReading], ScannerFault> {
        var reasons: [String] = []
        for offset in sources.indices {
            if Task.isCancelled { return .failure(ScannerFault("the scan was cancelled")) }
            let index = (current + offset) % sources.count
            do throws(ScannerFault) {
                let networks = try await sources[index].scan()
                current = index
                return .success(HeardNetwork.readings(networks))
            } catch {
                reasons.append("\(sources[index].name): \(error)")
            }
        }
        return .failure(
            ScannerFault(reasons.isEmpty ? "no Wi-Fi source" : reasons.joined(separator: "; ")))
    }
}
