/**
 * Requests in the form that clients write, and their checks, for every protocol. Invariant: a
 * refused request names every wrong field.
 */
@NullMarked
package org.svcmailbox.core.request;

import org.jspecify.annotations.NullMarked;
