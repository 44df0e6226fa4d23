import Events
import HTTP
import ServiceHost
import Site
import Wire

/// How places are told, chosen by `?coordinates=`.
enum CoordinateForm: String {
    case metres, wgs84

    /// JSON that says metres, in this form.
    func told(_ json: [UInt8], in document: SiteDocument) throws(WireFault) -> [UInt8] {
        switch self {
        case .metres: json
        case .wgs84: try SiteOutput(frame: document.frame).geographic(json)
        }
    }
}

extension HTTPRequest {
    /// Metres of the site's frame unless the request says otherwise.
    func coordinates() throws(Problem) -> CoordinateForm {
        guard let text = firstQuery("coordinates") else { return .metres }
        guard let form = CoordinateForm(rawValue: text) else {
            throw Problem(.coordinatesUnknown, "coordinates is metres or wgs84.")
        }
        return form
    }
}
