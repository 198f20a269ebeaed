package org.svcmailbox.web.problem;

/**
 * Which call a problem belongs to.
 *
 * @param method the HTTP method
 * @param path the path as the client wrote it, still encoded
 */
public record Call(String method, String path) {}
