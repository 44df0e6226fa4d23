import Events
import HTTP
import ServiceHost
import Site
import Wire

/// The form of coordinates in an answer, chosen by `?coordinates=`.
enum CoordinateForm: String {
    case metres, wgs84

    /// Converts JSON with metres to this form.
    func converted(_ json: [UInt8], in document: SiteDocument) throws(WireFault) -> [UInt8] {
        switch self {
        case .metres: json
        case .wgs84: try SiteOutput(frame: document.frame).geographic(json)
        }
    }
}

extension HTTPRequest {
    /// The form that the request asks for; metres by default.
    func coordinates() throws(Problem) -> CoordinateForm {
        guard let text = firstQuery("coordinates") else { return .metres }
        guard let form = CoordinateForm(rawValue: text) else {
            throw Problem(.coordinatesUnknown, "Send coordinates as metres or wgs84.")
        }
        return form
    }
}
