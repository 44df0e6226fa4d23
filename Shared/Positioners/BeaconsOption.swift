import Beacons
import Cryptography
import Foundation
import Positioning
import Wire

/// The option `beacons`: a positioner that uses the beacons of each site, or with
/// `beacons:file=PATH` those of a document (docs/beacons.md). It has the usual parameters, as in
/// `beacons:method=weighted-average`.
enum BeaconsOption {
    static let name = BeaconsPositioner.standardName
    /// The beginning of the option, with the colon before the file.
    static let prefix = "\(name):"
    private static let fileParameter = "file="
    /// The most faults of one document that are listed at once.
    private static let toldFaults = 5

    /// Reads the document.
    ///
    /// - Returns: nil for an option that asks for another positioner.
    /// - Throws: `PositionerOptionFault`, which names the file and what is wrong in it.
    public static func positioner(
        _ text: String
    ) throws(PositionerOptionFault) -> (any Positioner)? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == name else { return nil }
        let items = parts.dropFirst().first?.split(
            separator: ",", omittingEmptySubsequences: false)
        let files = (items ?? []).filter { $0.hasPrefix(fileParameter) }
        guard files.count <= 1, files.first.map({ $0.count > fileParameter.count }) ?? true else {
            throw PositionerOptionFault("beacons takes one document: beacons:file=PATH")
        }
        var positioner = BeaconsPositioner()
        if let file = files.first {
            positioner = try read(String(file.dropFirst(fileParameter.count)))
        }
        let others = (items ?? []).filter { !$0.hasPrefix(fileParameter) }
        guard !others.isEmpty else { return positioner }
        do throws(UnknownPositioner) {
            return try PositionerRegistry([positioner]).positioner(
                "\(parts[0]):\(others.joined(separator: ","))")
        } catch {
            throw PositionerOptionFault("\(error.description), file=PATH")
        }
    }

    private static func read(_ path: String) throws(PositionerOptionFault) -> BeaconsPositioner {
        let bytes: [UInt8]
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            // One byte more than the limit shows that the document is too large.
            bytes = Array(try file.read(upToCount: BeaconLimits.documentBytes + 1) ?? Data())
        } catch {
            throw PositionerOptionFault(
                "beacons: \(path) can't be read: \(error.localizedDescription)")
        }
        let document: BeaconDocument
        do throws(WireFault) {
            document = try BeaconDocument(json: bytes)
        } catch {
            throw PositionerOptionFault("beacons: \(path): \(error)")
        }
        let map: BeaconMap
        do throws(BeaconFaults) {
            map = try BeaconMap(document)
        } catch {
            let told = error.faults.prefix(toldFaults).map {
                "\($0.subject): \($0.detail) (\($0.code.rawValue))"
            }
            let more = error.faults.count > toldFaults ? ["and more"] : []
            throw PositionerOptionFault(
                "beacons: \(path): \((told + more).joined(separator: "; "))")
        }
        let hash = sha256(bytes).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let positioner = BeaconsPositioner(map: map, documentHash: hash) else {
            throw PositionerOptionFault("beacons: \(path) names no floor")
        }
        return positioner
    }
}
