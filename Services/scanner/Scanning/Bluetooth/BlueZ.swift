internal import Events
internal import MessageBus
internal import Threads
internal import Wire

/// The beacons, and perhaps devices, that Bluetooth hears.
struct BluetoothHearing: Hashable, Sendable {
    var beacons: [BluetoothReading] = []
    /// Devices that are no beacons, where the site asks for them.
    var people: [HeardAddress] = []
}

/// Somebody's device, for a report to the server, which hashes its address.
struct HeardAddress: Hashable, Sendable {
    var address: HardwareAddress
    var rssi: Int
}

/// Hears beacons by BlueZ. Discovery goes on all the time; each scan takes what BlueZ heard last.
///
/// A beacon's address is never kept. BlueZ tells no times: a device that has left is told for up to
/// half a minute, until BlueZ forgets it.
actor BlueZ {
    private static let service = "org.bluez"
    private static let adapter = "org.bluez.Adapter1"
    private static let device = "org.bluez.Device1"

    private let executor = ThreadExecutor(name: "bluez")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let busAddress: String?
    private var bus: MessageBus?
    private var isDiscovering = false

    init(busAddress: String? = nil) { self.busAddress = busAddress }

    /// The beacons and devices that BlueZ hears now.
    ///
    /// - Parameters:
    ///   - wanted: the UUIDs of beacons that count; empty for all.
    ///   - people: whether devices that are no beacons are told, too.
    func hear(
        wanted: Set<EventID> = [], people: Bool = false
    ) throws(ScannerFault) -> BluetoothHearing {
        do throws(BusError) {
            let bus = try connected()
            let objects = try bus.call(
                Self.service, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
            let all = objects?.dictionary ?? [:]
            if !isDiscovering { try discover(all, bus) }
            var heard = BluetoothHearing()
            for object in all.values {
                if let reading = Self.beacon(object[Self.device]) {
                    let isWanted = reading.uuid.map { wanted.contains($0) } == true
                    if wanted.isEmpty || isWanted { heard.beacons.append(reading) }
                } else if people, let one = Self.person(object[Self.device]) {
                    heard.people.append(one)
                }
            }
            return heard
        } catch {
            (bus, isDiscovering) = (nil, false)
            throw ScannerFault("BlueZ: \(error)")
        }
    }

    private func connected() throws(BusError) -> MessageBus {
        if let bus { return bus }
        let new = try MessageBus(address: busAddress)
        bus = new
        return new
    }

    /// Discovery ends by itself when this connection ends.
    private func discover(_ objects: [String: BusValue], _ bus: MessageBus) throws(BusError) {
        for (path, object) in objects where object[Self.adapter] != nil {
            _ = try bus.call(
                Self.service, path, Self.adapter, "SetDiscoveryFilter",
                [.options(["Transport": .text("le"), "DuplicateData": .bool(true)])])
            _ = try bus.call(Self.service, path, Self.adapter, "StartDiscovery")
            isDiscovering = true
        }
    }

    /// A device that is no beacon; nil where it is out of reach.
    private static func person(_ device: BusValue?) -> HeardAddress? {
        guard let rssi = device?["RSSI"]?.integer, (-120...0).contains(rssi),
            let address = device?["Address"]?.text.flatMap({ HardwareAddress($0) })
        else { return nil }
        return HeardAddress(address: address, rssi: Int(rssi))
    }

    /// The beacon of a device; nil where it is none, or out of reach, when it has no strength.
    static func beacon(_ device: BusValue?) -> BluetoothReading? {
        guard let device, let rssi = device["RSSI"]?.integer, (-120...0).contains(rssi) else {
            return nil
        }
        let strength = Int(rssi)
        if let data = device["ManufacturerData"]?["\(Advertisement.company)"]?.bytes,
            let reading = Advertisement.beacon(makerData: data, rssi: strength)
        {
            return reading
        }
        guard let data = device["ServiceData"]?[Advertisement.service]?.bytes else { return nil }
        return Advertisement.beacon(serviceData: data, rssi: strength)
    }
}
