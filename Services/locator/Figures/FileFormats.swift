import Events
import HTTP
import ServiceHost
import Wire

/// `?format=`: the answer as a file, for the links of a page, which can't send Accept.
extension LocatorRoutes {
    /// The format of positions, and the header fields of a file.
    func positionFormat(
        _ request: HTTPRequest, _ site: SiteID
    ) throws(Problem) -> (PositionFormat, [(name: String, value: String)]) {
        guard let name = request.firstQuery("format") else {
            return (try request.accepted(PositionFormat.self, "Positions"), [])
        }
        guard let format = PositionFormat(file: name) else {
            throw Self.unknownFormat(PositionFormat.allCases.map(\.file))
        }
        return (format, Self.file("positions-\(site).\(format.file)"))
    }

    /// The same for visits.
    func visitFormat(
        _ request: HTTPRequest, _ site: SiteID
    ) throws(Problem) -> (VisitFormat, [(name: String, value: String)]) {
        guard let name = request.firstQuery("format") else {
            return (try request.accepted(VisitFormat.self, "Visits"), [])
        }
        guard let format = VisitFormat(file: name) else {
            throw Self.unknownFormat(VisitFormat.allCases.map(\.file))
        }
        return (format, Self.file("visits-\(site).\(format.file)"))
    }

    private static func unknownFormat(_ known: [String]) -> Problem {
        Problem(.fieldOutOfRange, "format is one of \(known.joined(separator: ", ")).")
    }

    /// - Parameter name: has characters of ids alone, so it needs no escapes.
    private static func file(_ name: String) -> [(name: String, value: String)] {
        [("content-disposition", "attachment; filename=\"\(name)\"")]
    }
}
