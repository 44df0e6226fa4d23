extension AccessTable {
    /// Paths about what is booked and free in rooms. They join `rows` with the service that answers
    /// them, timetable-fetcher.
    public static let rooms: [AccessRow] = [
        AccessRow("GET", "/v1/sites/{site}/rooms/{id}/timetable", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/rooms/{id}/availability", strollers, .building),
        AccessRow("GET", "/v1/sites/{site}/rooms/free", strollers, .building),
    ]
}
