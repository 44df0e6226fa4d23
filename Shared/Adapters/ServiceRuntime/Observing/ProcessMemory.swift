import CMalloc

public enum ProcessMemory {
    /// A large buffer goes back to the system when it is freed. By default glibc keeps buffers up
    /// to 32 MB on the heap once one was freed, for each of its arenas. A program that moves
    /// megabytes all the time, in a container with little memory, would grow by that.
    public static func giveBackLargeBuffers() {
        mallopt(M_MMAP_THRESHOLD, 1 << 19)
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
        mallopt(M_ARENA_MAX, 2)
    }

    /// Gives back to the system what was freed and glibc keeps in its arenas.
    ///
    /// It takes some milliseconds. Call it after much was freed at once, such as a former map.
    public static func giveBackFreed() { malloc_trim(0) }
}
