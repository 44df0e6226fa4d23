import HTTP
import MapFormats
import ServiceHost
import Wire

extension HTTPRequest {
    func mapFormat() throws(Problem) -> MapFormat {
        let name = firstQuery("format")
        guard let format = MapFormat.written.first(where: { $0.name == name }) else {
            let known = MapFormat.written.map(\.name).joined(separator: ", ")
            throw Problem(.formatUnknown, "Send format as one of \(known).")
        }
        return format
    }
}
