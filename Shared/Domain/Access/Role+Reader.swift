public import Site

extension Role {
    /// The reader that the role makes: it decides which rooms, floors, entries and timetables of a
    /// site are visible. This is the only list.
    public var reader: Reader {
        switch self {
        case .anonymous, .locateOnly, .device, .visitor, .contributor, .tester: .stranger
        case .scanner, .gateway, .aggregate, .analyst, .surveyor: .staff
        case .administratorOfSite, .administrator, .service: .editor
        }
    }
}
