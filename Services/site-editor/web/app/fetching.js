// What may be asked twice, where the network lost the answer.

const PAUSE_MILLISECONDS = 500;

/**
 * The answer of `work`. It runs once more if the network failed, or if half an answer came, as when
 * a phone changes from one network to another.
 */
export async function twice(work) {
  try {
    return await work();
  } catch (failure) {
    // Browsers say so for whatever the network did.
    if (!(failure instanceof TypeError)) throw failure;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    return work();
  }
}
