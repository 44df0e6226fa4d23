internal import Events
internal import FaultPoints
internal import JSON

func wifiReading(_ object: JSONObject) throws(WireFault) -> WiFiReading {
    var bssid: HardwareAddress?
    var ssid: String?
    var rssi: Int?
    var frequency: Int?
    var age: Int?
    var distance = ReadDistance()
    for member in object where !member.value.isNull {
        let name = member.name
        let value = WireValue(member.value)
        do throws(WireFault) {
            if name == "bssid" {
                bssid = try value.address(.bssidMalformed)
            } else if name == "ssid" {
                ssid = storableSSID(try value.ssid())
            } else if name == "rssi" {
                rssi = try value.signal()
            } else if name == "frequency" {
                frequency = try value.integer(in: 0...1_000_000)
            } else if name == "ageMilliseconds" {
                age = try value.integer(in: 0...Int(Int32.max))
            } else {
                try distance.read(name, value)
            }
        } catch {
            throw error.inside(name.string)
        }
    }
    guard let bssid else { throw missing("bssid") }
    guard let rssi else { throw missing("rssi") }
    return WiFiReading(
        bssid: bssid, ssid: ssid, rssi: rssi, frequency: frequency, ageMilliseconds: age,
        distance: try distance.measured)
}

func bluetoothReading(_ object: JSONObject) throws(WireFault) -> BluetoothReading {
    var uuid: EventID?
    var major: Int?
    var minor: Int?
    var address: HardwareAddress?
    var rssi: Int?
    var txPower: Int?
    for member in object where !member.value.isNull {
        let name = member.name
        let value = WireValue(member.value)
        do throws(WireFault) {
            if name == "uuid" {
                uuid = try value.eventID(.uuidMalformed)
            } else if name == "major" {
                major = try value.integer(in: 0...65_535)
            } else if name == "minor" {
                minor = try value.integer(in: 0...65_535)
            } else if name == "address" {
                address = try value.address(.addressMalformed)
            } else if name == "rssi" {
                rssi = try value.signal()
            } else if name == "txPower" {
                txPower = try value.integer(in: -128...127)
            }
        } catch {
            throw error.inside(name.string)
        }
    }
    guard uuid != nil || address != nil else {
        throw WireFault(.fieldMissing, "uuid or address is needed")
    }
    guard let rssi else { throw missing("rssi") }
    return BluetoothReading(
        uuid: uuid, major: major.map { UInt16($0) }, minor: minor.map { UInt16($0) },
        address: address, rssi: rssi, txPower: txPower)
}

func nodeReading(_ object: JSONObject) throws(WireFault) -> NodeReading {
    let fields = FieldReader(object)
    let scanner: ScannerID = try fields.required("scanner").identifier(.scannerMalformed)
    let rssi = try fields.required("rssi").signal()
    var distance = ReadDistance()
    distance.metres = try fields.optional("distance")?.number(in: ScanLimits.distanceMetres)
    distance.deviation = try fields.optional("distanceDeviation")?
        .number(in: ScanLimits.distanceDeviation)
    return NodeReading(scanner: scanner, rssi: rssi, distance: try distance.measured)
}

/// The two members of a measured distance: neither means anything without the other.
private struct ReadDistance {
    var metres: Double?
    var deviation: Double?

    mutating func read(_ name: JSONText, _ value: WireValue) throws(WireFault) {
        if name == "distance" {
            metres = try value.number(in: ScanLimits.distanceMetres)
        } else if name == "distanceDeviation" {
            deviation = try value.number(in: ScanLimits.distanceDeviation)
        }
    }

    var measured: MeasuredDistance? {
        get throws(WireFault) {
            if metres == nil, deviation == nil { return nil }
            guard let metres else { throw missing("distance") }
            guard let deviation else { throw missing("distanceDeviation") }
            return MeasuredDistance(metres: metres, deviation: deviation)
        }
    }
}

private func missing(_ name: String) -> WireFault {
    WireFault(.fieldMissing, path: name, "this field is needed")
}

extension WireValue {
    /// Reads dBm within `ScanLimits.rssi`.
    func signal() throws(WireFault) -> Int {
        guard let int = json.int else {
            // A number that no integer holds is a strength out of range, not a wrong type.
            if let double = json.double, !ScanLimits.rssi.contains(Int(max(-1e6, min(1e6, double))))
            {
                throw fault(.rssiOutOfRange, "\(double) dBm is not within -120 to 0")
            }
            throw fault(.fieldWrongType, "a whole number of dBm is expected")
        }
        guard ScanLimits.rssi.contains(int) else {
            throw fault(.rssiOutOfRange, "\(int) dBm is not within -120 to 0")
        }
        return int
    }

    fileprivate func ssid() throws(WireFault) -> String {
        guard let text = json.text else { throw fault(.fieldWrongType, "an SSID is text") }
        let ssid = text.count <= ScanLimits.ssidBytes ? text.string : ""
        guard text.count <= ScanLimits.ssidBytes,
            text.count <= ScanLimits.ssidCharacters
                || ssid.unicodeScalars.count <= ScanLimits.ssidCharacters
        else {
            throw fault(
                .ssidTooLong, "an SSID has at most \(ScanLimits.ssidCharacters) characters")
        }
        return ssid
    }
}

/// An SSID that can be stored and shown, wherever it was read.
///
/// An SSID may be any 32 bytes. Hidden networks send as many zero bytes as their name is long; that
/// counts as no name. Other control characters become U+FFFD, so that a neighbour's odd network
/// name does not cost a scan.
private func storableSSID(_ ssid: String) -> String? {
    guard hasControlCharacter(ssid), !PlantedMistake.zeroBytesInSSIDs.isPlanted else { return ssid }
    let scalars = ssid.unicodeScalars
    guard scalars.contains(where: { $0 != "\0" }) else { return nil }
    var storable = String.UnicodeScalarView()
    for scalar in scalars {
        storable.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(storable)
}
