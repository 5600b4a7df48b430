# Makes Promela of the typist's table: states and events of src/wake/typist.h, rows of
# src/wake/typist.c. So the model runs the table that the program runs.
#     awk -f table.awk src/wake/typist.h src/wake/typist.c
function fields(text,    inner) {
	inner = text
	sub(/^[^(]*\(/, "", inner)
	sub(/\)[ \t,\\]*$/, "", inner)
	return split(inner, field, /, */)
}
/^#define BH_TYPIST_STATES/ { list = "T"; count = 0 }
/^#define BH_TYPIST_EVENTS/ { list = "E"; count = 0 }
/^#define BH_TYPIST_ACTIONS/ { list = "BH_DO"; count = 0 }
list != "" && /^\tX\(/ {
	n = fields($0)
	if (list == "BH_DO") {
		printf "#define BH_DO_%s %d\n", field[1], 2 ^ count
	} else {
		printf "#define %s_%s %d\n", list, field[1], count
	}
	if (list == "T" && field[3] == "true") commits = commits " || (s) == T_" field[1]
	if (list == "T" && field[4] ~ /true/) holds = holds " || (s) == T_" field[1]
	count++
}
list != "" && !/\\$/ { list = "" }
/^\tGO\(/ {
	n = fields($0)
	row[rows++] = sprintf("\t:: ts == T_%s && ev == E_%s -> ts = T_%s; act = %s",
	                      field[1], field[2], field[3], field[4])
}
END {
	print "#define DOUBT (BH_DO_COMMIT_UNCERTAIN | BH_DO_REPORT)"
	print "#define WITHDRAW (BH_DO_COMMIT_WITHDRAWN)"
	print "#define COMMITS(s) (false" commits ")"
	print "#define HOLDS(s) (false" holds ")"
	print "inline table_row()\n{\n\tif"
	for (i = 0; i < rows; i++) print row[i]
	print "\t:: else -> act = 0\n\tfi\n}"
	if (rows < 40) { print "too few rows" > "/dev/stderr"; exit 1 }
}
