internal import Events
internal import MessageBus
internal import Threads

/// Hears beacons by BlueZ. Discovery goes on all the time; each scan takes what BlueZ heard last.
///
/// A beacon's address is never kept.
actor BlueZ {
    private static let service = "org.bluez"
    private static let adapter = "org.bluez.Adapter1"
    private static let device = "org.bluez.Device1"

    private let executor = ThreadExecutor(name: "bluez")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let busAddress: String?
    /// The UUIDs that count; empty for all.
    private let wanted: Set<EventID>
    private var bus: MessageBus?
    private var isDiscovering = false

    init(busAddress: String? = nil, wanted: Set<EventID> = []) {
        self.busAddress = busAddress
        self.wanted = wanted
    }

    /// The beacons that BlueZ hears now.
    func beacons() throws(ScannerFault) -> [BluetoothReading] {
        do throws(BusError) {
            let bus = try connected()
            let objects = try bus.call(
                Self.service, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
            let all = objects?.dictionary ?? [:]
            if !isDiscovering { try discover(all, bus) }
            return all.values.compactMap { Self.beacon($0[Self.device]) }.filter { reading in
                wanted.isEmpty || reading.uuid.map { wanted.contains($0) } == true
            }
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
