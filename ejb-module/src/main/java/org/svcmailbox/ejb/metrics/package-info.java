/** The bean that modules register their metrics with, and that writes them all. */
@NullMarked
package org.svcmailbox.ejb.metrics;

import org.jspecify.annotations.NullMarked;
