package org.svcmailbox.bench;

import java.util.List;

/**
 * How messages are received and acknowledged over HTTP, as {@code take.lua} has to know it.
 *
 * @param receive the whole request
 * @param marks what each value that an acknowledgement needs comes after, in the order of the
 *     answer
 * @param empty what an answer without messages has in it
 * @param failure what the answer has in it when not everything was acknowledged
 * @param head of the acknowledgement, up to the length of its body
 * @param open what its body begins with
 * @param close what its body ends with
 * @param each what is put around the values of a message: one more than there are marks
 * @param between what is put between two messages
 */
record Taking(
    HttpTemplate receive,
    List<String> marks,
    String empty,
    String failure,
    String head,
    String open,
    String close,
    List<String> each,
    String between) {}
