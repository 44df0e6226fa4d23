import Events
import Foundation
import Testing
import Wire

@testable import Commands
@testable import SiteEditor

@Suite("The command token") struct TokenCommandTests {
    @Test("lists a token with the members that GET /v1/tokens has, its buildings among them")
    func listed() throws {
        let now = Timestamp(milliseconds: 1_795_305_600_000)
        let issued = TokenIssued(
            hash: "h", id: EventID(high: 1, low: 2), role: .analyst, site: SiteID("museum"),
            buildings: [BuildingID("east"), BuildingID("west")], device: nil, note: "n",
            issuedAt: now, expiresAt: now)
        let line = Command.line(of: TokenStore.Row(issued: issued, lastUsedAt: now))
        let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(json?["buildings"] as? [String] == ["east", "west"])
        #expect(json?["role"] as? String == "analyst" && json?["note"] as? String == "n")
        #expect(json?["lastUsedAt"] != nil && json?["hash"] == nil)
        var whole = issued
        whole.buildings = []
        let other = Command.line(of: TokenStore.Row(issued: whole, lastUsedAt: nil))
        #expect(!other.contains("buildings"))
    }
}
