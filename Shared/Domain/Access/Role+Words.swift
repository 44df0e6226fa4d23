public import Events

extension Role {
    /// The people or programs that the role is for, and the things they may do.
    public var words: (whom: String, may: String) {
        switch self {
        case .anonymous:
            (
                "a visitor without an account, at a site that everybody sees or by its link",
                "find rooms and ways on the map, ask where a scan was made"
            )
        case .locateOnly:
            ("an app that only wants to know where it is", "ask where a scan was made")
        case .device:
            ("a phone or a tag", "send its own scans, see its own positions, find ways")
        case .scanner: ("a box on the wall", "send scans under its own name")
        case .gateway:
            (
                "a program that sends the scans of many devices",
                "send scans of any device of its site"
            )
        case .visitor: ("a visitor's app", "find rooms and ways, ask where a scan was made")
        case .contributor:
            ("a visitor who may also suggest changes (planned)", "today the same as a visitor")
        case .aggregate: ("a dashboard of totals", "see the map, and never a single device")
        case .analyst:
            ("a person who studies where devices are", "read positions, visits and surveys")
        case .surveyor:
            (
                "a person who makes the radio map",
                "send and withdraw surveys, report outages, edit locations of the draft"
            )
        case .tester:
            (
                "a person who tries a version before it is published",
                "do all that a visitor may, also at the testers' site with the draft"
            )
        case .administratorOfSite:
            (
                "a person who looks after one site",
                "edit and publish it, manage its people and tokens"
            )
        case .administrator:
            (
                "a person who looks after all sites",
                "do everything at all sites; with a site, look after that one"
            )
        case .service: ("services of one installation", "call each other")
        }
    }
}

extension TokenRole {
    /// The roles that an account can have. The others are for programs and devices.
    public static let ofPeople = allCases.filter { role in
        switch role {
        case .locateOnly, .device, .scanner, .gateway: false
        case .visitor, .contributor, .aggregate, .analyst, .surveyor, .tester,
            .administratorOfSite, .administrator:
            true
        }
    }
}
