extension ReviewFinding.Code {
    /// The advice about such a finding, for people.
    public var cure: String {
        switch self {
        case .invalid: "Correct the record as the text says. Until then nothing is published."
        case .roomWithoutOpening: "Draw a door on the room's wall, or open it to a neighbour."
        case .roomCutOff: "Join the room to its neighbours by doors, walks or stairs."
        case .nothingLeadsOutdoors: "Draw the entrance: a door with a stop outdoors."
        case .noConnections: "Draw the doors, stairs and lifts first: nobody finds a way yet."
        case .liftWithoutLevels: "Give the lift a stop on each floor that it serves."
        case .connectionLeadsNowhere: "Move its end to a room or to another way, or remove it."
        case .roomsOverlap: "Move the wall between the rooms, or put one within the other."
        case .locationWithoutSurvey: "Go there and survey it, or remove the location."
        case .repeatedName: "Give the rooms different names, such as their numbers."
        case .awayFromRoom: "Move the stop to the room's wall, or name another room."
        case .hoursUnreadable: "Write the hours as in OpenStreetMap: Mo-Fr 09:00-17:00."
        case .timeZoneUnknown: "Choose a time zone of the IANA list, such as Europe/London."
        case .planPointsDisagree: "Place the plan's points again; the worst one is named."
        case .unknownMember: "Correct the spelling of the member, or leave it out."
        case .beaconsAlike: "Give one of the beacons its own numbers, or remove it."
        case .batteryBytesDiffer: "Set the same battery byte for all beacons of this kind."
        case .ringTooSmall: "Add beacons to the group, or let it be no ring."
        case .beaconOutsideSite: "Move the beacon to the place where it hangs."
        case .scannerOutsideSite: "Move the scanner to the place where it hangs."
        case .onlyThroughStaff: "Draw another way, or let visitors through the room."
        case .planNotShown: "Show the room to everybody, or upload a plan without it."
        case .factUnfitting: "Remove the fact, or correct the connection's kind."
        case .roomProposed: "Accept the room, or remove it: proposed rooms are not published."
        }
    }
}
