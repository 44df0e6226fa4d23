public import Events
public import JSON

/// One calibration of a site's nodes.
public struct ListedCalibration: Listed {
    public static var listName: StaticString { "calibrations" }

    private let calibration: NodesCalibrated

    public init(_ calibration: NodesCalibrated) { self.calibration = calibration }

    public var cursor: String? { calibration.calibratedAt.text }

    public func writeMembers(to writer: inout JSONWriter) {
        calibration.writeMembers(to: &writer)
    }
}
