import Testing

@testable import ServiceRuntime

@Suite struct ProcessArgumentsTests {
    @Test("The kernel's command line equals that of Swift's runtime")
    func kernel() {
        #expect(argumentsOfKernel() == CommandLine.arguments)
        #expect(processArguments() == CommandLine.arguments)
    }
}
