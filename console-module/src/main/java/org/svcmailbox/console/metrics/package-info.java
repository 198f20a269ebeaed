/**
 * What the console refuses, told with the metrics of the doors. Invariant: nothing that a browser
 * sent is in it.
 */
@NullMarked
package org.svcmailbox.console.metrics;

import org.jspecify.annotations.NullMarked;
