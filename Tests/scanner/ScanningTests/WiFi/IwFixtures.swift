import Testing

/// Outputs of `iw dev … scan` in the shapes of seven versions.
///
/// The shapes were read where people show them in public, and rebuilt with addresses and names of
/// our own. The comment of each names the place. `madeUp` marks what nobody showed us.
struct IwFixture: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var isMadeUp = false
    /// Blocks, and those with a strength.
    var blocks: Int
    var readings: Int

    var testDescription: String { name }

    static let all: [IwFixture] = [
        // git.sipsolutions.net/iw.git, scan.c at tag v0.9.20: no unit after the beacon interval.
        IwFixture(
            name: "0.9.20",
            text: """
                BSS 02:11:22:00:00:01 (on wlan0)
                \tTSF: 596787826 usec (0d, 00:09:56)
                \tfreq: 2417
                \tbeacon interval: 100
                \tcapability: ESS Privacy ShortPreamble ShortSlotTime (0x0431)
                \tsignal: -27.00 dBm
                \tSSID: museum
                \tSupported rates: 1.0* 2.0* 5.5* 11.0*
                \tDS Parameter set: channel 2

                """, blocks: 1, readings: 1),
        // Google's test of iw.py in its fiber gateway's sources (wvtest): 3.x.
        IwFixture(
            name: "3.17",
            text: """
                BSS 02:11:22:00:00:02(on wcli0)
                \tTSF: 1269828266773 usec (14d, 16:43:48)
                \tfreq: 2437
                \tbeacon interval: 100 TUs
                \tcapability: ESS Privacy ShortSlotTime (0x0411)
                \tsignal: -60.00 dBm
                \tlast seen: 2190 ms ago
                \tInformation elements from Probe Response frame:
                \tVendor specific: OUI 00:11:22, data: 01 23 45 67
                \tSSID: short scan result
                \tSupported rates: 1.0* 2.0* 5.5* 11.0* 18.0 24.0 36.0 54.0
                \tDS Parameter set: channel 6
                \tERP: <no flags>
                \tPrivacy:\tWEP
                BSS 02:11:22:00:00:03(on wcli0)
                \tTSF: 16233722683 usec (0d, 04:30:33)
                \tfreq: 5180
                \tbeacon interval: 100 TUs
                \tcapability: ESS Privacy (0x0011)
                \tsignal: -71.00 dBm
                \tlast seen: 160 ms ago
                \tSSID:\u{20}

                """, blocks: 2, readings: 2),
        // RoganDawes/P4wnP1_aloa, cmd/testwifi2/testwifi2.go: 4.9 of a Raspberry Pi.
        IwFixture(
            name: "4.9",
            text: """
                BSS 02:11:22:00:00:04(on wlan0)
                \tTSF: 0 usec (0d, 00:00:00)
                \tfreq: 2437
                \tbeacon interval: 100 TUs
                \tcapability: ESS Privacy SpectrumMgmt ShortSlotTime RadioMeasure (0x1511)
                \tsignal: -43.01 dBm
                \tlast seen: 13740 ms ago
                \tSSID: Handy AP8905
                \tSupported rates: 1.0* 2.0* 5.5* 11.0* 18.0 24.0 36.0 54.0
                \tDS Parameter set: channel 6
                \tTIM: DTIM Count 0 DTIM Period 2 Bitmap Control 0x0 Bitmap[0] 0x0
                \tCountry: DE\tEnvironment: Indoor/Outdoor
                \t\tChannels [1 - 13] @ 20 dBm
                \tPower constraint: 0 dB
                \tTPC report: TX power: 17 dBm
                \tRSN:\t * Version: 1
                \t\t * Group cipher: CCMP
                \tWMM:\t * Parameter version 1
                \t\t * BE: CW 15-1023, AIFSN 3

                """, blocks: 1, readings: 1),
        // Centaurus-dj/import-cours-but-rt1, R501-TP1/src/scan.sh: 5.9, two lines "last seen".
        IwFixture(
            name: "5.9",
            text: """
                BSS 02:11:22:00:00:05(on wlan0)
                \tlast seen: 710.456s [boottime]
                \tTSF: 0 usec (0d, 00:00:00)
                \tfreq: 2412
                \tbeacon interval: 100 TUs
                \tcapability: ESS Privacy ShortPreamble ShortSlotTime RadioMeasure (0x1431)
                \tsignal: -64.00 dBm
                \tlast seen: 0 ms ago
                \tSSID: Institute_IOT
                \tSupported rates: 1.0* 2.0* 5.5* 11.0* 6.0 9.0 12.0 18.0\u{20}
                \tDS Parameter set: channel 1
                \tBSS Load:
                \t\t * station count: 0
                \t\t * channel utilisation: 168/255

                """, blocks: 1, readings: 1),
        // The same author's R501-TP4: 5.19 and later write the frequency with its offset.
        IwFixture(
            name: "5.19",
            text: """
                BSS 02:11:22:00:00:06(on wlp0s20f0u3)
                \tTSF: 635882552 usec (0d, 00:10:35)
                \tfreq: 2432.0
                \tbeacon interval: 100 TUs
                \tcapability: ESS Privacy SpectrumMgmt ShortSlotTime (0x0511)
                \tsignal: -31.00 dBm
                \tlast seen: 0 ms ago
                \tInformation elements from Probe Response frame:
                \tSSID: R501-WEP
                \tSupported rates: 1.0* 2.0* 5.5* 11.0* 18.0 24.0 36.0 54.0\u{20}

                """, blocks: 1, readings: 1),
        // The walkthrough of Mininet-WiFi: the network that this machine uses.
        IwFixture(
            name: "4.14 associated",
            text: """
                BSS 02:11:22:00:00:07(on sta1-wlan0) -- associated
                \tTSF: 1534710096681871 usec (17762d, 20:21:36)
                \tfreq: 2457
                \tbeacon interval: 100 TUs
                \tcapability: ESS ShortSlotTime (0x0401)
                \tsignal: -36.00 dBm
                \tlast seen: 0 ms ago
                \tInformation elements from Probe Response frame:
                \tSSID: new-ssid
                \tExtended capabilities:
                \t\t * Extended Channel Switching

                """, blocks: 1, readings: 1),
        // A simulated radio in a walkthrough of a security course: 6.x, a name within an element.
        IwFixture(
            name: "6.7",
            text: """
                BSS 02:11:22:00:00:08(on wlan2)
                \tlast seen: 520.388s [boottime]
                \tTSF: 1730575383370084 usec (20029d, 19:23:03)
                \tfreq: 2437.0
                \tbeacon interval: 100 TUs
                \tcapability: ESS Privacy ShortSlotTime (0x0411)
                \tsignal: -30.00 dBm
                \tlast seen: 0 ms ago
                \tSSID: Corner_AP
                \tSupported operating classes:
                \t\t * current operating class: 81

                """, blocks: 1, readings: 1),
        IwFixture(
            name: "made up: names, percentages, two frames, an address twice",
            text: #"""
                BSS 02:11:22:00:00:10(on wlan0)
                	freq: 2412
                	signal: -50.00 dBm
                	SSID: \x20a "quoted" \x5cname\x0aBSS 02:ff:ff:ff:ff:ff(on wlan0)\x00
                BSS 02:11:22:00:00:11(on wlan0)
                	freq: 2412
                	signal: -51.00 dBm
                	SSID: \x00\x00\x00\x00
                BSS 02:11:22:00:00:12(on wlan0)
                	freq: 2412
                	signal: 44/100
                	SSID: percent
                BSS 02:11:22:00:00:13(on wlan0)
                	freq: 2412
                	signal: -52.00 dBm
                	Information elements from Probe Response frame:
                	SSID: caf\xc3\xa9 \xff
                	Information elements from Beacon frame:
                	SSID: \x00\x00
                		SSID: deeper
                BSS 02:11:22:00:00:13(on wlan0)
                	freq: 5200
                	signal: -48.60 dBm
                	SSID: twice

                """#, isMadeUp: true, blocks: 5, readings: 3),
    ]
}
