import Testing

@testable import Access

@Suite struct GroupRolesTests {
    private let roles: Set = ["analyst", "administrator", "surveyor"]

    @Test("Groups become roles everywhere, at a site, or in some of its buildings")
    func reading() throws {
        let setting = try GroupRoles(
            " staff = analyst@museum ; it=administrator;cn=a,dc=b=surveyor@museum/main+annex;",
            roles: roles)
        #expect(
            setting.entries(of: ["it", "cn=a,dc=b", "unknown"]) == [
                .init(group: "it", role: "administrator", site: nil, buildings: []),
                .init(
                    group: "cn=a,dc=b", role: "surveyor", site: "museum",
                    buildings: ["main", "annex"]),
            ])
        #expect(setting.entries(of: ["STAFF"]).isEmpty)
    }

    @Test(
        "An error in the setting names the wrong part",
        arguments: ["staff", "staff=king", "=analyst", "staff=analyst@", "staff=analyst@museum/"])
    func malformed(text: String) {
        #expect {
            try GroupRoles(text, roles: roles)
        } throws: {
            ($0 as? GroupRoles.Fault)?.sentence.contains("'\(text)'") == true
        }
    }

    @Test("An empty setting grants nothing")
    func empty() throws {
        #expect(try GroupRoles("", roles: roles).entries(of: ["staff"]).isEmpty)
    }
}
