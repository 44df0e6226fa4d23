"""A private bus with the mocks of NetworkManager and BlueZ that python3-dbusmock brings.

Prints the bus's address and ends with its standard input.
"""
import os
import subprocess
import sys

import dbus
import dbusmock

DEVICE = "org.bluez.Device1"
UUID = bytes.fromhex("f7826da64fa24e988024bc5b71e0893e")


def data(content):
    return dbus.Array(content, signature="y", variant_level=1)


class Bus(dbusmock.DBusTestCase):
    def network_manager(self):
        process, mock = self.spawn_server_template("networkmanager", {}, stdout=subprocess.DEVNULL)
        wifi = mock.AddWiFiDevice("mock0", "wlan7", 100)
        mock.AddWiFiDevice("mock1", "wlan8", 100)
        mock.AddAccessPoint(wifi, "ap0", "museum", "02:11:22:00:00:01", 2, 2412, 54, 82, 0x100)
        mock.AddAccessPoint(wifi, "ap1", "", "02:11:22:00:00:02", 2, 5180, 54, 0, 0x100)
        mock.AddAccessPoint(wifi, "ap2", 'q"\né', "02:11:22:00:00:03", 2, 2437, 54, 100, 0x100)
        return process

    def bluez(self):
        process, mock = self.spawn_server_template("bluez5", {}, stdout=subprocess.DEVNULL)
        control = dbus.Interface(mock, "org.bluez.Mock")
        control.AddAdapter("hci0", "scanner")
        beacons = {
            "02:11:22:00:00:11": {
                "RSSI": dbus.Int16(-71, variant_level=1),
                "ManufacturerData": dbus.Dictionary(
                    {dbus.UInt16(76): data(b"\x02\x15" + UUID + b"\0\x50\0\x03\xc5")},
                    signature="qv", variant_level=1)},
            "02:11:22:00:00:12": {
                "RSSI": dbus.Int16(-80, variant_level=1),
                "ServiceData": dbus.Dictionary(
                    {"0000feaa-0000-1000-8000-00805f9b34fb": data(b"\0\xee" + UUID[::-1] + b"\0\0")},
                    signature="sv", variant_level=1)},
            # A telephone, which is no beacon.
            "02:11:22:00:00:13": {
                "Address": dbus.String("02:11:22:00:00:13", variant_level=1),
                "RSSI": dbus.Int16(-60, variant_level=1),
                "ManufacturerData": dbus.Dictionary(
                    {dbus.UInt16(76): data(b"\x10\x05\x01")}, signature="qv", variant_level=1)},
        }
        for address, properties in beacons.items():
            path = "/org/bluez/hci0/dev_" + address.replace(":", "_")
            # The template's own devices can't get properties with dictionaries.
            mock.AddObject(path, DEVICE, properties, [], dbus_interface=dbusmock.MOCK_IFACE)
        return process


Bus.start_system_bus()
bus = Bus()
processes = [bus.network_manager(), bus.bluez()]
print(os.environ["DBUS_SYSTEM_BUS_ADDRESS"], flush=True)
sys.stdin.read()
for process in processes:
    process.kill()
    process.wait()
Bus.tearDownClass()
