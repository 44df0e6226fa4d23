import Access
import Events
import HTTP
import OpenIDConnect
import ServiceHost
import ServiceRuntime

/// The operator's settings for the sign-in of people.
struct PeopleSettings: Sendable {
    /// The address at which browsers reach Whereabouts, without a slash at its end.
    var publicURL: String
    var openID: OpenIDProvider.Settings?
    /// The roles that groups of a provider or a proxy stand for.
    var groups: GroupRoles
    /// Whether a sign-in that says nothing of groups is one of a person in no group. Else it is
    /// refused, and changes no role.
    var missingGroupsAreNone: Bool
    /// Addresses of proxies that may sign people in; empty for none.
    var proxies: [AddressRange]

    static let settings: [Setting] = [
        Setting(
            "WHEREABOUTS_PUBLIC_URL", .url(schemes: ["http", "https"]), .optional,
            help: "the address of Whereabouts in browsers; links for people begin with it"),
        Setting(
            "WHEREABOUTS_OIDC_ISSUER", .checked(issuerForm), .optional,
            help: "the issuer of the OpenID provider for signing in, in its own spelling"),
        Setting(
            "WHEREABOUTS_OIDC_CLIENT_ID", .text, .optional,
            help: "the client id of Whereabouts at the provider"),
        Setting(
            "WHEREABOUTS_OIDC_CLIENT_SECRET", .secret, .optional,
            help: "the client secret of Whereabouts at the provider; empty for a public client"),
        Setting(
            "WHEREABOUTS_OIDC_SCOPES", .text, .defaultsTo("profile email"),
            help: "the scopes that are requested from the provider in addition to openid"),
        Setting(
            "WHEREABOUTS_OIDC_GROUPS_CLAIM", .text, .defaultsTo("groups"),
            help: "the claim that names a person's groups"),
        Setting(
            "WHEREABOUTS_SIGN_IN_GROUPS", .checked(groupsForm), .optional,
            help: "the roles of groups, such as staff=analyst@museum; it=administrator"),
        Setting(
            "WHEREABOUTS_SIGN_IN_MISSING_GROUPS", .choice(["refuse", "none"]),
            .defaultsTo("refuse"),
            help: "refuse a sign-in that says nothing of groups, or take it as one with none"),
        Setting(
            "WHEREABOUTS_SIGN_IN_PROXIES", .checked(rangesForm), .optional,
            help: "addresses of proxies that sign people in (Remote-User, Remote-Groups)"),
    ]

    init(_ configuration: Configuration) {
        let listen = configuration.listenAddress("WHEREABOUTS_LISTEN")
        let set = configuration.optionalText("WHEREABOUTS_PUBLIC_URL")
        var url = set ?? "http://\(listen.host.isEmpty ? "127.0.0.1" : listen.host):\(listen.port)"
        while url.hasSuffix("/") { url.removeLast() }
        publicURL = url
        openID = configuration.optionalText("WHEREABOUTS_OIDC_ISSUER").map { issuer in
            OpenIDProvider.Settings(
                issuer: issuer,
                clientID: configuration.optionalText("WHEREABOUTS_OIDC_CLIENT_ID") ?? "whereabouts",
                clientSecret: configuration.optionalSecret("WHEREABOUTS_OIDC_CLIENT_SECRET")?
                    .reveal(),
                scopes: configuration.text("WHEREABOUTS_OIDC_SCOPES").split(separator: " ")
                    .map(String.init),
                groupsClaim: configuration.text("WHEREABOUTS_OIDC_GROUPS_CLAIM"))
        }
        groups = Self.groups(configuration.optionalText("WHEREABOUTS_SIGN_IN_GROUPS") ?? "")
        missingGroupsAreNone =
            configuration.text("WHEREABOUTS_SIGN_IN_MISSING_GROUPS") == "none"
        proxies =
            configuration.optionalText("WHEREABOUTS_SIGN_IN_PROXIES").flatMap(AddressRange.list)
            ?? []
    }

    /// The issuer and the client id need each other; the client's secret needs both.
    static func missing(in environment: [String: String]) -> [ConfigurationFault] {
        func isGiven(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        let (issuer, client) = ("WHEREABOUTS_OIDC_ISSUER", "WHEREABOUTS_OIDC_CLIENT_ID")
        let secret = "WHEREABOUTS_OIDC_CLIENT_SECRET"
        let given = [issuer, client, secret, secret + "_FILE"].filter(isGiven)
        guard let first = given.first else { return [] }
        return [issuer, client].filter { !isGiven($0) }.map {
            ConfigurationFault(name: $0, problem: "is missing: \(first) is set, and needs it")
        }
    }

    /// The grants of a person in these groups.
    func grants(of names: [String]) -> [RoleGrant] {
        groups.entries(of: names).compactMap { entry in
            TokenRole(rawValue: entry.role).map {
                RoleGrant(
                    $0, site: entry.site.map { SiteID($0) },
                    buildings: entry.buildings.map { BuildingID($0) })
            }
        }
    }

    private static let roleWords = Set(TokenRole.allCases.map(\.rawValue))

    /// The text was checked when the program started.
    private static func groups(_ text: String) -> GroupRoles {
        guard let groups = try? GroupRoles(text, roles: roleWords) else {
            preconditionFailure("the form of the setting was checked")
        }
        return groups
    }

    private static let groupsForm = Setting.TextForm("GROUP=ROLE@SITE, separated by ;") { text in
        do throws(GroupRoles.Fault) {
            for entry in try GroupRoles(text, roles: roleWords).entries {
                for id in [entry.site].compactMap(\.self) + entry.buildings
                where SiteID(validating: id) == nil { return "'\(id)' is not an id" }
            }
            return nil
        } catch {
            return error.sentence
        }
    }

    private static let rangesForm = Setting.TextForm("ADDRESS[/BITS],...") { text in
        AddressRange.list(text) == nil
            ? "must be IP addresses or ranges with commas between them" : nil
    }

    private static let issuerForm = Setting.TextForm("an https address") { text in
        OpenIDProvider.isTrustworthy(issuer: text)
            ? nil : "is not an https address (http is allowed on this machine alone)"
    }
}
