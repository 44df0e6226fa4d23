import Foundation
import HTTP

/// A service's answer, as a client receives it.
public struct Answer: Sendable {
    public let status: Int
    /// The header fields by lower-case name.
    public let headers: [String: String]
    public let body: [UInt8]

    init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(_ response: HTTPResponse) async throws {
        var body: [UInt8] = []
        switch response.body {
        case .bytes(let bytes): body = bytes
        case .stream(let stream): for try await chunk in stream { body += chunk }
        case .pulled(let next): while let chunk = try await next() { body += chunk }
        }
        self.init(
            status: response.status,
            headers: Dictionary(
                response.headers.map { ($0.name.lowercased(), $0.value) },
                uniquingKeysWith: { first, _ in first }), body: body)
    }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The problem's code. Nil where the answer has none.
    public var code: String? { self["code"] }

    /// The JSON value at a path such as `rejected.0.code`. A text is returned as it is, a number or
    /// Boolean as JSON writes it. Nil where there is no value.
    public subscript(path: String) -> String? {
        var value = try? JSONSerialization.jsonObject(with: Data(body)) as Any
        for step in path.split(separator: ".") {
            if let list = value as? [Any], let index = Int(step) {
                value = list.indices.contains(index) ? list[index] : nil
            } else {
                value = (value as? [String: Any])?[String(step)]
            }
        }
        if let text = value as? String { return text }
        guard let value,
            let data = try? JSONSerialization.data(
                withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
