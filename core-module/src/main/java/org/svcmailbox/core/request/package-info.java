/**
 * Requests as clients write them, and their checks, whatever the protocol. Invariant: a refused
 * request names every field that is wrong.
 */
@NullMarked
package org.svcmailbox.core.request;

import org.jspecify.annotations.NullMarked;
