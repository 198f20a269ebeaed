package org.svcmailbox.bench.http;

import java.util.List;

/**
 * A RECV and its acknowledgement in the form that {@code take.lua} reads.
 *
 * @param receive the complete RECV
 * @param marks text before each value that an acknowledgement needs, in the order of the answer
 * @param empty text of an answer without messages
 * @param failure text of an answer that refused an acknowledgement
 * @param head the acknowledgement up to the value of Content-Length
 * @param open start of its body
 * @param close end of its body
 * @param each text around the values of one message, one more than marks
 * @param between text between two messages
 */
public record ReceiveTemplate(
    HttpTemplate receive,
    List<String> marks,
    String empty,
    String failure,
    String head,
    String open,
    String close,
    List<String> each,
    String between) {}
