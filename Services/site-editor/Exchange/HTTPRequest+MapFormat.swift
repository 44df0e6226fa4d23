import HTTP
import MapFormats
import ServiceHost
import Wire

extension HTTPRequest {
    /// - Parameter formats: those that the request may name.
    func mapFormat(of formats: [MapFormat]) throws(Problem) -> MapFormat {
        let name = firstQuery("format")
        guard let format = formats.first(where: { $0.name == name }) else {
            let known = formats.map(\.name).joined(separator: ", ")
            throw Problem(.formatUnknown, "Send format as one of \(known).")
        }
        return format
    }
}
