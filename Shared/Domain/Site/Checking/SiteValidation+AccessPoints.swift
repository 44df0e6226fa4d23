import Events

extension SiteValidation {
    mutating func checkAccessPoints(_ document: SiteDocument) {
        let floors = Set(document.floors.map(\.id))
        var seen: Set<HardwareAddress> = []
        for (number, place) in document.accessPointPlaces.enumerated() {
            let subject = "access point \(number)"
            if !seen.insert(place.address).inserted {
                add(.duplicateIdentifier, subject, "the address is used twice")
            }
            if !floors.contains(place.floor) {
                add(.unknownFloor, subject, "no floor \(shown(place.floor.text))")
            }
            if !(isInRange(place.x) && isInRange(place.y)) {
                add(.coordinateOutOfRange, subject, "x \(place.x), y \(place.y)")
            }
        }
    }
}
