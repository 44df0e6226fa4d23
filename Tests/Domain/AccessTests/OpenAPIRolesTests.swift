import Access
import Foundation
import Repository
import Testing

@Suite struct OpenAPIRolesTests {
    private static let document = repository.appending(path: "docs/openapi.json")

    @Test("The OpenAPI document gives the same roles for each operation as the table")
    func roles() throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.document))
        let paths = try #require((json as? [String: Any])?["paths"] as? [String: [String: Any]])
        var described: Set<AccessOperation> = []
        for (path, methods) in paths {
            for (method, value) in methods {
                let operation = AccessOperation(method.uppercased(), path)
                described.insert(operation)
                let said = try #require(value as? [String: Any])
                let row = try #require(AccessTable.row(operation), "\(operation) has no row")
                #expect(
                    said["x-roles"] as? [String] == row.roles.roles.map(\.rawValue),
                    "\(operation)")
                #expect(said["x-scope"] as? String == row.scope.rawValue, "\(operation)")
            }
        }
        #expect(described.count > 100)
    }

    /// The document was written by hand, so it is a second list of all parameters.
    @Test("The OpenAPI document gives the same query parameters for each reading operation")
    func parameters() throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.document))
        let document = try #require(json as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        var checked = 0
        for (path, methods) in paths {
            guard let said = methods["get"] as? [String: Any],
                let known = AccessTable.parameters(of: AccessOperation("GET", path))
            else { continue }
            let described = try (said["parameters"] as? [[String: Any]] ?? []).map {
                try Self.resolved($0, in: document)
            }.filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
            #expect(described.sorted() == known, "\(path)")
            let answers = said["responses"] as? [String: Any] ?? [:]
            #expect(answers["400"] != nil, "\(path) may refuse a parameter")
            checked += 1
        }
        #expect(checked > 80)
    }

    @Test("A path that browsers and other systems are led to takes any parameter")
    func addresses() throws {
        for path in ["/", "/healthz", "/v1/sign-in/provider/return", "/v1/media/{hash}"] {
            #expect(AccessTable.parameters(of: AccessOperation("GET", path)) == nil, "\(path)")
        }
        #expect(AccessTable.parameters(of: AccessOperation("POST", "/v1/positions")) == nil)
        let meraki = AccessOperation("POST", "/v1/meraki/{site}")
        #expect(!AccessTable.takesEachParameterOnce(meraki))
        let surveys = AccessOperation("DELETE", "/v1/sites/{site}/surveys")
        #expect(AccessTable.takesEachParameterOnce(surveys))
        #expect(AccessTable.parameters(of: AccessOperation("GET", "/v1/sites")) == [])
    }

    /// The parameter itself, where the document only names it.
    private static func resolved(
        _ parameter: [String: Any], in document: [String: Any]
    ) throws -> [String: Any] {
        guard let reference = parameter["$ref"] as? String else { return parameter }
        var part: Any = document
        for name in reference.split(separator: "/").dropFirst() {
            part = try #require((part as? [String: Any])?[String(name)], "\(reference)")
        }
        return try #require(part as? [String: Any])
    }
}
