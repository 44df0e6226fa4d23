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
}
