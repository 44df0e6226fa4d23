public import Positioning
public import Site

/// Locates by beacons alone, without any survey: those of a document, or the site's own (Flair 4).
///
/// It removes the battery from the major, and ignores beacons of other regions or excluded by a
/// constraint. Then it smooths each beacon's distance, and computes a place from the nearest
/// beacons.
public struct BeaconsPositioner: AdjustablePositioner {
    public static let standardName = "beacons"

    /// The method by which distances are smoothed over time.
    enum Smoothing: String, Hashable, Sendable, CaseIterable {
        case window
        case kalman
        case off
    }

    /// The method that computes a place from sightings.
    enum Method: String, Hashable, Sendable, CaseIterable {
        case average
        case weightedAverage = "weighted-average"
        case countDivided = "count-divided"
        case linear
        case combined
    }

    struct Settings: Hashable, Sendable {
        var method = Method.combined
        /// The number of nearest beacons that are used.
        var beacons = AveragePositioning.usualBeacons
        var smoothing = Smoothing.window
        var windowReadings = SlidingWindow.usualReadings
        var farthestMetres: Double?
        /// The majors that are used; nil allows all.
        var majors: Set<UInt16>?
        var minors: Set<UInt16>?
        /// The seconds without any of its beacons after which a device leaves a group.
        var leaveSeconds = 10.0
    }

    /// Where the beacons are stated.
    private enum Source: Sendable {
        /// The number identifies the document; stored states are only valid for it.
        case document(BeaconMap, UInt64)
        case site
    }

    public private(set) var name = Self.standardName
    private let source: Source
    var settings = Settings()

    /// A positioner by the beacons of each site's own document.
    public init() { source = .site }

    /// - Parameter documentHash: identifies the document; stored states are only valid for it.
    /// - Returns: nil for a document without a floor.
    public init?(map: BeaconMap, documentHash: UInt64) {
        guard map.hasFloors else { return nil }
        source = .document(map, documentHash)
    }

    public var worksWithoutMap: Bool { true }

    /// Identifies the document; nil where the beacons are those of each site.
    public var documentHash: UInt64? {
        switch source {
        case .document(_, let hash): hash
        case .site: nil
        }
    }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        // The states of a site's beacons are kept with the site's version.
        let (beacons, hash) =
            switch source {
            case .document(let map, let hash): (map, hash)
            case .site: (BeaconMap(site.document), UInt64(0))
            }
        return PreparedBeacons(map: beacons, documentHash: hash, settings: settings, site: site)
    }

    // MARK: Parameters

    private static let counts = 1...100
    private static let seconds = 1.0...3_600
    private static let metres = 0.1...1_000

    public var parameters: [PositionerParameter] {
        func choices(_ texts: [String]) -> String { texts.joined(separator: " | ") }
        func range(_ bounds: ClosedRange<some Comparable>) -> String {
            "\(bounds.lowerBound) to \(bounds.upperBound)"
        }
        return [
            PositionerParameter(name: "method", values: choices(Method.allCases.map(\.rawValue))),
            PositionerParameter(name: "beacons", values: range(Self.counts)),
            PositionerParameter(
                name: "smoothing", values: choices(Smoothing.allCases.map(\.rawValue))),
            PositionerParameter(name: "window", values: range(1...BeaconLimits.storedReadings)),
            PositionerParameter(name: "farthest", values: "\(range(Self.metres)) metres"),
            PositionerParameter(name: "majors", values: "numbers joined by +"),
            PositionerParameter(name: "minors", values: "numbers joined by +"),
            PositionerParameter(name: "leave", values: "\(range(Self.seconds)) seconds"),
        ]
    }

    public func adjusted(_ values: [String: String]) -> (any Positioner)? {
        var adjusted = self
        for (parameter, text) in values {
            guard
                adjusted.settings.set(text, as: parameter, Self.counts, Self.seconds, Self.metres)
            else { return nil }
        }
        // The name has the parameters in order, like those of other positioners.
        adjusted.name = values.sorted { $0.key < $1.key }.reduce(Self.standardName) {
            "\($0)-\($1.key)-\($1.value.replacing("+", with: "."))"
        }
        return adjusted
    }
}

extension BeaconsPositioner.Settings {
    /// Sets one parameter; returns false for an unknown parameter or a value that does not fit.
    fileprivate mutating func set(
        _ text: String, as parameter: String, _ counts: ClosedRange<Int>,
        _ seconds: ClosedRange<Double>, _ metres: ClosedRange<Double>
    ) -> Bool {
        func checked<Value>(_ value: Value?, _ isFit: (Value) -> Bool = { _ in true }) -> Value? {
            value.flatMap { isFit($0) ? $0 : nil }
        }
        func keep<Value>(
            _ value: Value?, _ path: WritableKeyPath<Self, Value>
        ) -> Bool {
            guard let value else { return false }
            self[keyPath: path] = value
            return true
        }
        switch parameter {
        case "method": return keep(BeaconsPositioner.Method(rawValue: text), \.method)
        case "beacons": return keep(checked(Int(text)) { counts.contains($0) }, \.beacons)
        case "smoothing": return keep(BeaconsPositioner.Smoothing(rawValue: text), \.smoothing)
        case "window":
            return keep(
                checked(Int(text)) { (1...BeaconLimits.storedReadings).contains($0) },
                \.windowReadings)
        case "farthest":
            return keep(
                checked(Double(text)) { metres.contains($0) }.map(Optional.some), \.farthestMetres)
        case "majors": return keep(Self.numbers(text).map(Optional.some), \.majors)
        case "minors": return keep(Self.numbers(text).map(Optional.some), \.minors)
        case "leave": return keep(checked(Double(text)) { seconds.contains($0) }, \.leaveSeconds)
        default: return false
        }
    }

    private static func numbers(_ text: String) -> Set<UInt16>? {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt16($0) }
        return numbers.count == parts.count ? Set(numbers) : nil
    }
}
