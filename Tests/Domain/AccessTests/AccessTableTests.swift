import Access
import Events
import Testing

@Suite struct AccessTableTests {
    private static let museum = SiteID("museum")
    private static let other = SiteID("other")

    private func row(_ method: String, _ pattern: String) throws -> AccessRow {
        try #require(AccessTable.row(AccessOperation(method, pattern)))
    }

    /// Paths for signing in, where a password, a link or a provider identifies the caller, and of
    /// Meraki's cloud, whose bodies hold a secret.
    private static let doors: Set = [
        "/v1/session", "/v1/session/anonymous", "/v1/session/everywhere", "/v1/session/password",
        "/v1/sign-in/provider", "/v1/sign-in/provider/return", "/v1/sign-in/proxy",
        "/v1/meraki/{site}",
    ]
    /// Paths of other systems, which stand beside `/v1/`.
    private static let foreign: Set = ["/data"]

    private static func isDoor(_ operation: AccessOperation) -> Bool {
        doors.contains(operation.pattern)
            || operation == AccessOperation("POST", "/v1/accounts")
            // The code that an administrator made is the right.
            || operation == AccessOperation("POST", "/v1/enrolments")
            || operation == AccessOperation("GET", "/v1/sites/{site}/erasures/{id}")
    }

    @Test(
        "Each is listed once, and only signing in, a code and the id of an erasure need no token"
    )
    func rows() {
        let operations = AccessTable.rows.map(\.operation)
        #expect(Set(operations).count == operations.count)
        for row in AccessTable.rows {
            #expect(!row.roles.isEmpty, "\(row.operation)")
            let isPage =
                !row.operation.pattern.hasPrefix("/v1/")
                && !Self.foreign.contains(row.operation.pattern)
            let isOpen = isPage || Self.isDoor(row.operation)
            #expect(row.mayCall([]) == (isOpen ? .allowed : .nobody), "\(row.operation)")
            #expect((row.scope == .none) == isOpen, "\(row.operation)")
        }
    }

    @Test("A role at one site is none at another, and a grant for all sites reaches each")
    func sites() throws {
        let publish = try row("POST", "/v1/sites/{site}/publish")
        let own = Grant(.administratorOfSite, site: Self.museum)
        #expect(publish.mayCall([own], site: Self.museum) == .allowed)
        #expect(publish.mayCall([own], site: Self.other) == .wrongSite)
        #expect(publish.mayCall([Grant(.administrator)], site: Self.other) == .allowed)
        let surveyor = Grant(.surveyor, site: Self.museum)
        #expect(publish.mayCall([surveyor], site: Self.museum) == .wrongRole)
        #expect(publish.mayCall([surveyor, own], site: Self.museum) == .allowed)
        // A role at one site can't be combined with the site of another grant.
        let visitor = Grant(.visitor, site: Self.other)
        #expect(publish.mayCall([own, visitor], site: Self.other) == .wrongSite)
    }

    @Test("A grant for some buildings reaches these, but no operation on the whole site")
    func buildings() throws {
        let east = BuildingID("east")
        let grant = Grant(.surveyor, site: Self.museum, buildings: [east])
        let survey = try row("POST", "/v1/surveys")
        #expect(survey.mayCall([grant], site: Self.museum, building: east) == .allowed)
        #expect(
            survey.mayCall([grant], site: Self.museum, building: BuildingID("west"))
                == .wrongBuilding)
        let outage = try row("POST", "/v1/outages")
        #expect(outage.mayCall([grant], site: Self.museum) == .wrongBuilding)
    }

    @Test("An administrator's token that names a site is for that site alone")
    func oldAdministrators() {
        #expect(Role(.administrator, isBoundToSite: true) == .administratorOfSite)
        #expect(Role(.administrator, isBoundToSite: false) == .administrator)
    }

    @Test("A set of roles contains those that it was made from")
    func roleSets() {
        for role in Role.allCases {
            #expect(RoleSet(role).roles == [role])
        }
        #expect(RoleSet(.device, .tester).roles == [.device, .tester])
    }

    @Test("A grant spans every grant that reaches no farther")
    func spanning() {
        let all = Grant(.administrator)
        let site = Grant(.administratorOfSite, site: Self.museum)
        let part = Grant(.surveyor, site: Self.museum, buildings: [BuildingID("east")])
        #expect(all.spans(site) && site.spans(part) && all.spans(part) && part.spans(part))
        #expect(!site.spans(all) && !part.spans(site))
        #expect(!site.spans(Grant(.visitor, site: Self.other)))
    }

    @Test("An administrator of a site without a stated site reaches no site")
    func nowhere() {
        let lost = Grant(.administratorOfSite)
        #expect(!lost.reaches(Self.museum))
        #expect(!lost.spans(Grant(.visitor, site: Self.museum)))
        #expect(!lost.spans(Grant(.administratorOfSite)))
    }

    @Test("A stranger reads what search and directory name, but not what radio is made of")
    func strangersRecords() {
        let open = AccessTable.rows.filter { row in
            row.operation.method == "GET" && row.roles.contains(.anonymous)
        }.map(\.operation.pattern)
        for (list, isOpen) in [
            ("rooms", true), ("locations", true), ("directory", true), ("zones", true),
            ("access-point-places", false), ("beacons", false), ("scanners", false),
        ] {
            let path = "/v1/sites/{site}/\(list)"
            #expect(open.contains(path) == isOpen && open.contains(path + "/{id}") == isOpen)
        }
    }
}
