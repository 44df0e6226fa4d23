import SiteExchange

/// The faults of a table that the body throws; nil if it throws nothing, or something else.
func tableFault(_ body: () throws -> Void) -> TableFault? {
    do {
        try body()
        return nil
    } catch {
        return error as? TableFault
    }
}
