import Events
import HTTPClient
import ServiceHost
import Wire

/// A service that keeps data about devices, asked over HTTP.
struct DeviceDataKeeper: Sendable {
    private static let timeoutSeconds = 5.0

    let name: String
    let service: Neighbour
    /// The path of its part of an erasure, without the erasure's id.
    let erased: String
    /// The path of its part of a device's report.
    let kept: String

    /// Whether the service is done with an erasure; nil where it does not answer.
    func hasErased(_ erasure: EventID) async -> Bool? {
        await answer("\(erased)/\(erasure)").map(ErasureAnswer.isDone)
    }

    /// All that the service keeps about a device; nil where it does not answer.
    func kept(of device: DeviceID, at site: SiteID) async -> [KeptData]? {
        await answer("\(kept)?site=\(site)&device=\(device)").flatMap(DeviceReport.kept)
    }

    private func answer(_ path: String) async -> [UInt8]? {
        let answer = try? await service.get(path, timeoutSeconds: Self.timeoutSeconds)
        return answer?.status == 200 ? answer?.body : nil
    }
}
