import Access
import Events
import HTTP
import LogViews
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// Roles and tokens for some buildings name buildings that are there.
@Suite(
    "Roles in unknown buildings",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct UnknownBuildingTests {
    private static let museum = SiteID("museum")
    private static let moment = ServiceBench.start

    private let pool: PostgresPool
    private let sites: SiteStore
    private var accounts: AccountStore { AccountStore(pool: pool, bell: OutboxBell()) }

    init() async throws {
        pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        sites = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        _ = try await sites.replace(
            Self.museum, with: SampleMuseum.document, expectedVersion: nil, at: Self.moment)
        // The draft has one more building, and not the published one.
        _ = try await sites.edit(Self.museum, expectedRevision: nil, at: Self.moment) { document in
            var changed = SiteDocument(
                name: document.name, originLatitude: document.originLatitude,
                originLongitude: document.originLongitude, bearingDegrees: 0)
            changed.buildings = [
                BuildingRecord(id: BuildingID("annex"), name: "Annex", timeZone: "Europe/London")
            ]
            return .replace(changed)
        }
    }

    private static func role(_ building: String, at site: SiteID = museum) -> RoleGrant {
        RoleGrant(.analyst, site: site, buildings: [BuildingID(building)])
    }

    private func invite(_ grant: RoleGrant) async throws {
        _ = try await InvitationStore(pool: pool, bell: OutboxBell()).invite(
            note: "", grants: [grant], by: Keeper(id: "t", grants: []), at: Self.moment)
    }

    /// The buildings that are refused in these grants.
    private func refused(_ grants: [RoleGrant], _ give: (RoleGrant) async throws -> Void)
        async throws -> [String]
    {
        var refused: [String] = []
        for grant in grants {
            do {
                try await give(grant)
            } catch let unknown as UnknownBuilding {
                #expect(unknown.problem.status == 422 && unknown.problem.code == "building-unknown")
                refused.append(unknown.building.text)
            }
        }
        return refused
    }

    private static let grants = [
        role("museum"), role("annex"), role("anex"), role("museum", at: SiteID("museum.test")),
        role("anex", at: SiteID("museum.test")), role("anything", at: SiteID("not-begun")),
    ]

    @Test("An invitation is for buildings of the published site or its draft")
    func invitation() async throws {
        #expect(try await refused(Self.grants) { try await invite($0) } == ["anex", "anex"])
        let detail = UnknownBuilding(site: Self.museum, building: BuildingID("anex")).problem.detail
        #expect(detail.contains("museum") && detail.contains("anex"))
    }

    @Test("So is a role that an account gets, and it keeps roles whose building is gone")
    func account() async throws {
        let gone = Self.role("pulled-down")
        let row = AccountRow(
            id: AccountStore.newID(at: Self.moment), signIn: "anna", name: "Anna", password: nil,
            issuer: nil, grants: [gone], madeAt: Self.moment, madeBy: "test")
        try await pool.withTransaction { try AccountStore.insert(row, connection: $0) }
        let answer = try await refused(Self.grants) { grant in
            let wanted = [gone, grant]
            let changed = try await accounts.change(row.id, adding: wanted, at: Self.moment) {
                $0.grants = wanted
            }
            #expect(changed?.grants == wanted)
        }
        #expect(answer == ["anex", "anex"])
        // A refused change changes nothing. A role may lose a building, and keep one that is gone.
        #expect(try await accounts.account(row.id)?.grants == [gone, Self.grants[5]])
        var both = gone
        both.buildings.append(BuildingID("museum"))
        for wanted in [both, gone] {
            let changed = try await accounts.change(row.id, adding: [wanted], at: Self.moment) {
                $0.grants = [wanted]
            }
            #expect(changed?.grants == [wanted])
        }
    }

    @Test("So is a token")
    func token() async throws {
        let issuer = TokenStore.Issuer(
            id: "t", grants: [Grant(.administrator)], expiresAt: nil)
        let tokens = TokenStore(pool: pool)
        let answer = try await refused(Self.grants) { grant in
            var order = TokenOrder(role: .analyst, site: grant.site)
            order.buildings = grant.buildings
            let unknown = try await tokens.unknownBuilding(in: order)
            #expect((unknown?.text == "anex") == (grant.buildings[0].text == "anex"))
            _ = try await tokens.issue(order, by: issuer, at: Self.moment)
        }
        #expect(answer == ["anex", "anex"])
    }
}
